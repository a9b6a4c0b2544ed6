"""Renders templates with Home Assistant's own engine. Run by the Python of a Home Assistant: reads rows as JSON, writes their results."""

import asyncio
import datetime
import json
import logging
import os
import resource
import signal
import sys
import tempfile
import time
import zoneinfo

import jinja2
from homeassistant.core import HomeAssistant
from homeassistant.helpers import template
from homeassistant.util import dt
from homeassistant.util.json import JSON_DECODE_EXCEPTIONS, json_loads

NOW = 1_750_000_000.25
ZONE = "Europe/Berlin"


# Home Assistant itself does not bound a template's computation.
SECONDS = 2
BYTES = 1 << 30


class TooSlow(BaseException):
    """A template took longer than `SECONDS`."""


def stop(*_):
    raise TooSlow


def kind(error):
    """The kind of an error: with `undefined`, Home Assistant keeps the last state; `syntax` is found when the template is parsed."""
    cause = error.__cause__ or error
    if isinstance(cause, jinja2.TemplateRuntimeError):
        return "undefined"
    return "syntax" if isinstance(cause, jinja2.TemplateSyntaxError) else "other"


def render(hass, row):
    variables = dict(row.get("variables") or {})
    if row.get("payload") is not None:
        variables["value"] = row["payload"]
        try:
            variables["value_json"] = json_loads(row["payload"])
        except JSON_DECODE_EXCEPTIONS:
            pass
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return {"result": template.Template(row["template"], hass).async_render(variables, parse_result=False)}
    except TooSlow:
        return {"error": "limit"}
    except Exception as error:
        return {"error": "limit" if isinstance(error.__cause__, (MemoryError, TooSlow)) else kind(error)}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


async def main():
    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    signal.signal(signal.SIGALRM, stop)
    os.environ["TZ"] = ZONE
    time.tzset()
    zone = zoneinfo.ZoneInfo(ZONE)
    dt.set_default_time_zone(zone)
    dt.now = lambda time_zone=None: datetime.datetime.fromtimestamp(NOW, time_zone or zone)
    dt.utcnow = lambda: datetime.datetime.fromtimestamp(NOW, datetime.UTC)
    with tempfile.TemporaryDirectory() as folder:
        hass = HomeAssistant(folder)
        results = [row | render(hass, row) for row in json.load(sys.stdin)]
        await hass.async_stop(force=True)
    json.dump(results, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    asyncio.run(main())
