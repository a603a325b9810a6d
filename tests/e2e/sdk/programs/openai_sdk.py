"""The openai SDK of Python, pointed at a gateway as its documentation says."""

import asyncio
import sys

import openai

from openai_chat import Chat
from openai_responses import Responses
from serve import serve

DIALOGUES = {"chat": Chat, "responses": Responses}
CLASSES = {400: openai.BadRequestError, 429: openai.RateLimitError}


class Program:
    def __init__(self, dialogue):
        self.dialogue = dialogue

    def start(self, asking, base, key):
        client = openai.AsyncOpenAI(base_url=f"{base}/v1", api_key=key, max_retries=0)
        return self.dialogue(client, asking)

    def status_of(self, error):
        """The status, where the error is of the class that belongs to it."""
        status = getattr(error, "status_code", None)
        return status if isinstance(error, CLASSES.get(status, openai.InternalServerError)) else None

    def request_id_of(self, error):
        return getattr(error, "request_id", None)


asyncio.run(serve(Program(DIALOGUES[sys.argv[1]])))
