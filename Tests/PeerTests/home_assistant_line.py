"""One WebSocket to Home Assistant, run by Home Assistant's own Python because that has a client.

    home_assistant_line.py http://127.0.0.1:8123

Reads one JSON object per line: the first shows the token, each further one is sent under the next number. Prints each answer on one line.
"""

import asyncio
import json
import sys

import aiohttp


async def main():
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async with aiohttp.ClientSession() as session, session.ws_connect(sys.argv[1] + "/api/websocket", max_msg_size=0) as line:
        await line.receive_json()
        await line.send_json({"type": "auth", **json.loads(await reader.readline())})
        print(json.dumps(await line.receive_json()), flush=True)

        async def hear():
            async for message in line:
                print(message.data, flush=True)

        hearing, number = asyncio.create_task(hear()), 0
        while asked := await reader.readline():
            number += 1
            await line.send_json({"id": number, **json.loads(asked)})
        hearing.cancel()


asyncio.run(main())
