"""The google-genai SDK of Python, pointed at a gateway as its documentation says."""

import asyncio
import base64

from google import genai
from google.genai import errors, types

from asking import ANSWER_SCHEMA, TOOL_DESCRIPTION, TOOL_NAME, TOOL_SCHEMA, sdk_answer
from serve import serve


class Program:
    def start(self, asking, base, key):
        options = types.HttpOptions(base_url=base, api_version="v1beta")
        return Contents(genai.Client(api_key=key, http_options=options).aio, asking)

    def status_of(self, error):
        """The status, where the error is of the class that belongs to it."""
        status = getattr(error, "code", None)
        expected = errors.ClientError if status and status < 500 else errors.ServerError
        return status if isinstance(error, expected) else None

    def request_id_of(self, error):
        details = getattr(error, "details", None) or {}
        return details.get("error", {}).get("request_id")


class Contents:
    """A dialogue whose answers are put back as the SDK gave them."""

    def __init__(self, client, asking):
        self.client = client
        self.asking = asking
        self.contents = []

    def say(self, text, png):
        parts = [types.Part(text=text), *([image_of(png)] if png else [])]
        self.contents.append(types.Content(role="user", parts=parts))

    def answer_calls(self, results):
        calls = [part.function_call for part in self.contents[-1].parts if part.function_call]
        answered = zip(calls, results, strict=True)
        parts = [result_of(call, result) for call, result in answered]
        self.contents.append(types.Content(role="user", parts=parts))

    async def ask(self, stream, model):
        chunks = await (self.streamed(model) if stream else self.whole(model))
        parts = [part for chunk in chunks for part in parts_of(chunk)]
        kept = [part for part in parts if part.text != "" or part.thought_signature]
        self.contents.append(types.Content(role="model", parts=kept))
        return read_answer(parts, chunks[-1])

    async def listen(self, on_text):
        async for chunk in await self.client.models.generate_content_stream(**self.params()):
            if chunk.text:
                on_text()

    async def whole(self, model):
        return [await self.client.models.generate_content(**self.params(model))]

    async def streamed(self, model):
        stream = await self.client.models.generate_content_stream(**self.params(model))
        return [chunk async for chunk in stream]

    def params(self, model=None):
        chosen = {"model": model or self.asking["model"], "contents": list(self.contents)}
        return {**chosen, "config": config_of(self.asking)}


def image_of(png):
    return types.Part.from_bytes(data=base64.b64decode(png), mime_type="image/png")


def result_of(call, result):
    response = {"output": result["text"]}
    answer = types.FunctionResponse(id=call.id, name=call.name, response=response)
    return types.Part(function_response=answer)


def config_of(asking):
    config = types.GenerateContentConfig(system_instruction=asking.get("system"))
    if asking.get("tools"):
        described = {"name": TOOL_NAME, "description": TOOL_DESCRIPTION}
        declaration = types.FunctionDeclaration(**described, parameters_json_schema=TOOL_SCHEMA)
        config.tools = [types.Tool(function_declarations=[declaration])]
    if asking.get("forced"):
        calling = types.FunctionCallingConfig(mode=types.FunctionCallingConfigMode.ANY)
        config.tool_config = types.ToolConfig(function_calling_config=calling)
    if asking.get("schema"):
        config.response_mime_type = "application/json"
        config.response_json_schema = ANSWER_SCHEMA
    if asking.get("thinks"):
        level = types.ThinkingLevel.HIGH
        config.thinking_config = types.ThinkingConfig(include_thoughts=True, thinking_level=level)
    return config


def parts_of(chunk):
    content = chunk.candidates[0].content if chunk.candidates else None
    return content.parts or [] if content else []


def read_answer(parts, last):
    def texts(thought):
        return "".join(part.text or "" for part in parts if bool(part.thought) == thought)

    calls = [part.function_call for part in parts if part.function_call]
    finish = "tools" if calls else "stop"
    return sdk_answer(
        text=texts(False),
        thought=texts(True),
        calls=[(call.name, call.args) for call in calls],
        finish=finish if last.candidates[0].finish_reason == types.FinishReason.STOP else "other",
        usage=used(last.usage_metadata),
    )


def used(usage):
    thoughts = usage.thoughts_token_count or 0
    return {
        "input": usage.prompt_token_count,
        "cacheRead": usage.cached_content_token_count or 0,
        "output": usage.candidates_token_count + thoughts,
        "reasoning": thoughts,
    }


asyncio.run(serve(Program()))
