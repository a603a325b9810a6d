"""What a scenario asks for, as `matrix.ts` has it."""

TOOL_NAME = "get_weather"
TOOL_DESCRIPTION = "Tells the weather"
TOOL_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
    "required": ["city"],
}
ANSWER_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "warm": {"type": "boolean"}},
    "required": ["city", "warm"],
    "additionalProperties": False,
}


def sdk_answer(text, thought, calls, finish, usage):
    """An answer as the test reads it; `calls` are pairs of a name and its arguments."""
    named = [{"name": name, "args": args} for name, args in calls]
    return {"text": text, "thought": thought, "calls": named, "finish": finish, "usage": usage}
