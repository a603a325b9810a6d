"""The anthropic SDK of Python, pointed at a gateway as its documentation says."""

import asyncio

import anthropic

from asking import ANSWER_SCHEMA, TOOL_DESCRIPTION, TOOL_NAME, TOOL_SCHEMA, sdk_answer
from serve import serve

CLASSES = {400: anthropic.BadRequestError, 429: anthropic.RateLimitError}
FINISHES = {"end_turn": "stop", "tool_use": "tools"}


class Program:
    def start(self, asking, base, key):
        client = anthropic.AsyncAnthropic(base_url=base, api_key=key, max_retries=0)
        return Messages(client, asking)

    def status_of(self, error):
        """The status, where the error is of the class that belongs to it."""
        status = getattr(error, "status_code", None)
        expected = CLASSES.get(status, anthropic.InternalServerError)
        return status if isinstance(error, expected) else None

    def request_id_of(self, error):
        return getattr(error, "request_id", None)


class Messages:
    """A dialogue whose answers are put back as the SDK gave them."""

    def __init__(self, client, asking):
        self.client = client
        self.asking = asking
        self.messages = []

    def say(self, text, png):
        parts = [{"type": "text", "text": text}, image_of(png)]
        self.messages.append({"role": "user", "content": parts if png else text})

    def answer_calls(self, results):
        calls = [block for block in self.messages[-1]["content"] if block.type == "tool_use"]
        answered = zip(calls, results, strict=True)
        content = [result_of(call.id, result) for call, result in answered]
        self.messages.append({"role": "user", "content": content})

    async def ask(self, stream, model):
        params = self.params(model)
        create = self.client.messages.create
        message = await (self.streamed(params) if stream else create(**params))
        self.messages.append({"role": "assistant", "content": message.content})
        return read_answer(message)

    async def listen(self, on_text):
        async with self.client.messages.stream(**self.params()) as stream:
            async for _ in stream.text_stream:
                on_text()

    async def streamed(self, params):
        async with self.client.messages.stream(**params) as stream:
            return await stream.get_final_message()

    def params(self, model=None):
        chosen = {"model": model or self.asking["model"], "messages": list(self.messages)}
        return {**params_of(self.asking), **chosen}


def image_of(png):
    source = {"type": "base64", "media_type": "image/png", "data": png}
    return {"type": "image", "source": source}


def result_of(call_id, result):
    return {"type": "tool_result", "tool_use_id": call_id, "content": result["text"]}


def params_of(asking):
    params = {"max_tokens": 8000}
    if asking.get("system"):
        params["system"] = asking["system"]
    if asking.get("tools"):
        described = {"name": TOOL_NAME, "description": TOOL_DESCRIPTION}
        params["tools"] = [{**described, "input_schema": TOOL_SCHEMA}]
    if asking.get("forced"):
        params["tool_choice"] = {"type": "any"}
    if asking.get("schema"):
        params["output_config"] = {"format": {"type": "json_schema", "schema": ANSWER_SCHEMA}}
    if asking.get("thinks"):
        params["thinking"] = {"type": "enabled", "budget_tokens": 2048}
    return params


def read_answer(message):
    def of(kind):
        return [block for block in message.content if block.type == kind]

    return sdk_answer(
        text="".join(block.text for block in of("text")),
        thought="".join(block.thinking for block in of("thinking")),
        calls=[(block.name, block.input) for block in of("tool_use")],
        finish=FINISHES.get(message.stop_reason, "other"),
        usage=used(message.usage),
    )


def used(usage):
    read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    details = usage.output_tokens_details
    return {
        "input": usage.input_tokens + read + written,
        "cacheRead": read,
        "cacheWrite": written,
        "output": usage.output_tokens,
        "reasoning": details.thinking_tokens if details else 0,
    }


asyncio.run(serve(Program()))
