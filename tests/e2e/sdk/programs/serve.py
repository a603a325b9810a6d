"""An SDK as a program of its own: the lines of JSON that `serve.ts` speaks."""

import asyncio
import json
import sys
import traceback


async def serve(program):
    """Does what the lines of its input say, one after the other, and answers each with a line."""
    talk = hearing = None
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        command = json.loads(line)
        match command["do"]:
            case "start":
                talk = program.start(command["asking"], command["base"], command["key"])
            case "listen":
                hearing = asyncio.create_task(listen(talk))
            case "abort":
                hearing.cancel()
            case _:
                await perform(command, talk, program)


async def perform(command, talk, program):
    try:
        match command["do"]:
            case "say":
                talk.say(command["text"], command.get("imagePng"))
            case "answerCalls":
                talk.answer_calls(command["results"])
            case "ask":
                way = command["way"]
                tell({"answer": await talk.ask(way["stream"], way.get("model"))})
    except Exception as error:
        failed = {"status": program.status_of(error), "requestId": program.request_id_of(error)}
        tell({"failed": {**failed, "words": "".join(traceback.format_exception(error))}})


async def listen(talk):
    try:
        await talk.listen(lambda: tell({"text": True}))
    finally:
        tell({"ended": True})


def tell(answer):
    print(json.dumps(answer), flush=True)
