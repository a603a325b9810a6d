"""The openai SDK's chat completions."""

import json

from openai.lib.streaming.chat import ChatCompletionStreamState

from asking import ANSWER_SCHEMA, TOOL_DESCRIPTION, TOOL_NAME, TOOL_SCHEMA, sdk_answer

FINISHES = {"stop": "stop", "tool_calls": "tools"}


class Chat:
    """A dialogue that keeps its history as an application would."""

    def __init__(self, client, asking):
        self.completions = client.chat.completions
        self.asking = asking
        system = asking.get("system")
        self.messages = [{"role": "system", "content": system}] if system else []

    def say(self, text, png):
        url = f"data:image/png;base64,{png}"
        parts = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": url}}]
        self.messages.append({"role": "user", "content": parts if png else text})

    def answer_calls(self, results):
        calls = self.messages[-1].get("tool_calls", [])
        for call, result in zip(calls, results, strict=True):
            answer = {"role": "tool", "tool_call_id": call["id"]}
            self.messages.append({**answer, "content": result["text"]})

    async def ask(self, stream, model):
        params = self.params(model)
        completion = await (self.streamed(params) if stream else self.completions.create(**params))
        self.messages.append(replay_of(completion.choices[0].message))
        return read_answer(completion)

    async def listen(self, on_text):
        async for chunk in await self.completions.create(**self.params(), stream=True):
            if chunk.choices and chunk.choices[0].delta.content:
                on_text()

    async def streamed(self, params):
        state = ChatCompletionStreamState()
        options = {"include_usage": True}
        stream = await self.completions.create(**params, stream=True, stream_options=options)
        async for chunk in stream:
            state.handle_chunk(chunk)
        return state.get_final_completion()

    def params(self, model=None):
        chosen = {"model": model or self.asking["model"], "messages": list(self.messages)}
        return {**params_of(self.asking), **chosen}


def replay_of(message):
    """The message as an application sends it back: what the SDK added stays out."""
    added = {"tool_calls": {"__all__": {"index": True, "function": {"parsed_arguments"}}}}
    return message.model_dump(exclude_none=True, exclude=added)


def params_of(asking):
    params = {}
    if asking.get("tools"):
        function = {"name": TOOL_NAME, "description": TOOL_DESCRIPTION, "parameters": TOOL_SCHEMA}
        params["tools"] = [{"type": "function", "function": function}]
    if asking.get("forced"):
        params["tool_choice"] = "required"
    if asking.get("schema"):
        place = {"name": "place", "schema": ANSWER_SCHEMA, "strict": True}
        params["response_format"] = {"type": "json_schema", "json_schema": place}
    if asking.get("thinks"):
        params["reasoning_effort"] = "medium"
    return params


def read_answer(completion):
    message = completion.choices[0].message
    functions = [call.function for call in message.tool_calls or []]
    return sdk_answer(
        text=message.content or "",
        thought=getattr(message, "reasoning_content", None) or "",
        calls=[(function.name, json.loads(function.arguments)) for function in functions],
        finish=FINISHES.get(completion.choices[0].finish_reason, "other"),
        usage=used(completion.usage),
    )


def used(usage):
    read = usage.prompt_tokens_details
    return {
        "input": usage.prompt_tokens,
        "cacheRead": read.cached_tokens,
        "cacheWrite": getattr(read, "cache_write_tokens", None) or 0,
        "output": usage.completion_tokens,
        "reasoning": usage.completion_tokens_details.reasoning_tokens,
    }
