"""Two hundred hostile names. Each has at most a hundred characters, like every name in the house."""

# Code that runs reports here, and everything made from a name carries this mark.
RAN = "window.ran=(window.ran||0)+1"
MARK = "data-made"

TAGS = [
    f"<script>{RAN}</script>", f"<ScRiPt>{RAN}</sCrIpT>", f"<img {MARK} src=x onerror={RAN}>", f"<svg {MARK} onload={RAN}>",
    f"<svg><script {MARK}>{RAN}</script>", f"<iframe {MARK} srcdoc='<script>parent.ran=1</script>'>", f"<body {MARK} onload={RAN}>",
    f"<details {MARK} open ontoggle={RAN}>x", f"<video {MARK}><source onerror={RAN}>", f"<audio {MARK} src onerror={RAN}>",
    f"<input {MARK} autofocus onfocus={RAN}>", f"<marquee {MARK} onstart={RAN}>", f"<object {MARK} data=javascript:{RAN}>",
    f"<embed {MARK} src=javascript:{RAN}>", f"<a {MARK} href=javascript:{RAN}>x</a>", f"<form {MARK} action=javascript:{RAN}><button>",
    f"<base {MARK} href=//evil.example>", f"<meta {MARK} http-equiv=refresh content=0;url=//evil.example>",
    f"<link {MARK} rel=stylesheet href=//evil.example>", f"<style {MARK}>*{{display:none}}</style>", f"<math {MARK} href=javascript:{RAN}>x",
    f"<template {MARK}><script>{RAN}</script></template>", f"<x {MARK} onclick={RAN}>x", f"<p {MARK} style=position:fixed>",
    f"<dialog {MARK} open>You must sign in again</dialog>", f"<img {MARK} src=//evil.example/p>", f"<textarea {MARK}>", f"<!--<img {MARK}>-->",
    f"<noscript><p {MARK}></noscript>", f"<![CDATA[<img {MARK}>]]>", f"<?php echo '<p {MARK}>' ?>", f"<isindex {MARK} onfocus={RAN} autofocus>",
]
WRAPS = ["{}", '">{}', "'>{}", "</title>{}", "</textarea>{}", "-->{}"]
STRINGS = [
    f"';{RAN};'", f'";{RAN};"', f"`;{RAN};`", "${" + RAN + "}", "{{constructor.constructor('window.ran=1')()}}", f"javascript:{RAN}",
    f"data:text/html,<script>{RAN}</script>", f"\" onmouseover=\"{RAN}\" x=\"", f"' onfocus='{RAN}' autofocus='", f"&lt;script&gt;{RAN}",
    f"&#60;script&#62;{RAN}", f"\\u003cscript\\u003e{RAN}", f"\\x3cscript\\x3e{RAN}", f"%3Cscript%3E{RAN}", f"</script><script>{RAN}</script>",
    "__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "NaN", "true", "[object Object]", "%s%s%s%n", "%00", "%0d%0aX: y",
    "\\r\\nX: y", "=cmd|'/c calc'!A0", "+1+1", "-1+1", "@SUM(1)", "=HYPERLINK(\"http://evil.example\")", "../../etc/passwd", "..\\..\\hub.key",
    "' OR '1'='1", "'; DROP TABLE guests; --", "'); DELETE FROM audit; --", "\" OR \"\"=\"", "1; UPDATE people SET role='owner'", "x' UNION SELECT hash",
    "%' AND 1=1 --", "`; SELECT 1", "/*", "--", "NULL", "\\", "\\'", "#", "+", "home/#", "home/+/set", "/", "$SYS/broker", "$share/x/y",
    "cardea/x", "$(touch /tmp/x)", "`touch /tmp/x`", "; touch /tmp/x", "| touch /tmp/x", "{{ states('lock.x') }}", "{% raw %}", "<%= 7*7 %>", "#{7*7}",
    "🚪🔑", "ﷺ", "e" + "\u0301" * 40, "ا" * 40, "𝕏" * 40, "W" * 100, "\u00a0x\u00a0",
]
# Refused as names: invisible characters and line breaks.
UNSEEN = ["a\r\nb", "a\nb", "a\0b", "\x1b]0;evil\x07", "\x1b[2J", "a\x7fb", "\u202edoor", "\u2066x\u2069", "\u2028x\u2029y", "\ufeff", "", " ", "\u200b", "x" * 101]

NAMES = [name for wrap in WRAPS for tag in TAGS if len(name := wrap.format(tag)) <= 100][: 200 - len(STRINGS)] + STRINGS
assert len(NAMES) == len(set(NAMES)) == 200, len(NAMES)
