"""The openai SDK's responses, without a store: the history is sent each time."""

import json

from asking import ANSWER_SCHEMA, TOOL_DESCRIPTION, TOOL_NAME, TOOL_SCHEMA, sdk_answer


class Responses:
    """A dialogue whose output items are put back as the SDK gave them."""

    def __init__(self, client, asking):
        self.responses = client.responses
        self.asking = asking
        self.input = []
        self.called = []

    def say(self, text, png):
        image = {"type": "input_image", "image_url": f"data:image/png;base64,{png}"}
        parts = [{"type": "input_text", "text": text}, {**image, "detail": "auto"}]
        self.input.append({"role": "user", "content": parts if png else text})

    def answer_calls(self, results):
        for call, result in zip(self.called, results, strict=True):
            answer = {"type": "function_call_output", "call_id": call.call_id}
            self.input.append({**answer, "output": result["text"]})

    async def ask(self, stream, model):
        params = self.params(model)
        answer = await (self.streamed(params) if stream else self.responses.create(**params))
        self.input += answer.output
        self.called = calls_of(answer)
        return read_answer(answer)

    async def listen(self, on_text):
        async for event in await self.responses.create(**self.params(), stream=True):
            if event.type == "response.output_text.delta":
                on_text()

    async def streamed(self, params):
        async with self.responses.stream(**params) as stream:
            return await stream.get_final_response()

    def params(self, model=None):
        chosen = {"model": model or self.asking["model"], "input": list(self.input)}
        return {**params_of(self.asking), **chosen}


def params_of(asking):
    params = {"store": False, "include": ["reasoning.encrypted_content"]}
    if asking.get("system"):
        params["instructions"] = asking["system"]
    if asking.get("tools"):
        function = {"name": TOOL_NAME, "description": TOOL_DESCRIPTION, "parameters": TOOL_SCHEMA}
        params["tools"] = [{"type": "function", **function, "strict": False}]
    if asking.get("forced"):
        params["tool_choice"] = "required"
    if asking.get("schema"):
        place = {"name": "place", "schema": ANSWER_SCHEMA, "strict": True}
        params["text"] = {"format": {"type": "json_schema", **place}}
    if asking.get("thinks"):
        params["reasoning"] = {"effort": "medium", "summary": "auto"}
    return params


def calls_of(answer):
    return [item for item in answer.output if item.type == "function_call"]


def read_answer(answer):
    calls = calls_of(answer)
    finish = "tools" if calls else "stop"
    return sdk_answer(
        text=answer.output_text,
        thought="".join(thoughts_of(answer)),
        calls=[(call.name, json.loads(call.arguments)) for call in calls],
        finish=finish if answer.status == "completed" else "other",
        usage=used(answer.usage),
    )


def thoughts_of(answer):
    for item in answer.output:
        if item.type == "reasoning":
            yield from (part.text for part in [*item.summary, *(item.content or [])])


def used(usage):
    read = usage.input_tokens_details
    return {
        "input": usage.input_tokens,
        "cacheRead": read.cached_tokens,
        "cacheWrite": read.cache_write_tokens,
        "output": usage.output_tokens,
        "reasoning": usage.output_tokens_details.reasoning_tokens,
    }
