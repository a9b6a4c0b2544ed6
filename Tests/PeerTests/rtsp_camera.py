"""A camera: GStreamer's RTSP server plays a film from its beginning to every client, behind a password. Prints its port when it listens."""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402


def main(film: str, scheme: str, user: str, password: str) -> None:
    Gst.init(None)
    factory = GstRtspServer.RTSPMediaFactory.new()
    factory.set_launch(f"( filesrc location={film} ! qtdemux ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=1 )")
    factory.set_shared(False)
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "user")
    auth = GstRtspServer.RTSPAuth.new()
    if scheme == "digest":
        auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
        auth.add_digest(user, password, token)
    else:
        auth.add_basic(GstRtspServer.RTSPAuth.make_basic(user, password), token)
    permissions = GstRtspServer.RTSPPermissions()
    permissions.add_permission_for_role("user", "media.factory.access", True)
    permissions.add_permission_for_role("user", "media.factory.construct", True)
    factory.set_permissions(permissions)
    server = GstRtspServer.RTSPServer.new()
    server.set_address("127.0.0.1")
    server.set_service("0")
    server.set_auth(auth)
    server.get_mount_points().add_factory("/door", factory)
    server.attach(None)
    print("port", server.get_bound_port(), flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    # The password is in a file: the test that searches the process list for it must not find this one.
    with open(sys.argv[3], encoding="utf-8") as secret:
        main(sys.argv[1], sys.argv[2], "cam", secret.read())
