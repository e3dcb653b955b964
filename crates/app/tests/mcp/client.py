"""Asks a server what is in a file of JSON lines, and prints each answer as one.

Uses the client of the Model Context Protocol's own Python package.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client


def answering(what: str) -> "dict[str, object]":
    """How the session answers what the server asks its user: `accept`, `decline`, or nothing that it can ask."""
    if what == "none":
        return {}

    async def answer(_: object, params: "types.ElicitRequestParams") -> "types.ElicitResult":
        print(json.dumps({"asked": params.message}), file=sys.stderr)
        content = {"run": True} if what == "accept" else None
        return types.ElicitResult(action=what, content=content)

    return {"elicitation_callback": answer}


async def main(questions: str, user: str, command: str, *arguments: str) -> None:
    server = StdioServerParameters(command=command, args=list(arguments))
    async with stdio_client(server) as (read, write), ClientSession(read, write, **answering(user)) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        print(json.dumps([tool.name for tool in tools]))
        with open(questions, encoding="utf-8") as lines:
            for line in lines:
                tool, asked = json.loads(line)
                answer = await session.call_tool(tool, asked)
                failed = getattr(answer, "is_error", None)
                if failed is None:
                    failed = answer.isError
                text = "".join(part.text for part in answer.content)
                print(json.dumps({"failed": bool(failed), "text": text}))


asyncio.run(main(*sys.argv[1:]))
