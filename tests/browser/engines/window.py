"""A window of WebKitGTK that a driver controls, without the frame that keeps others wide."""

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

context = WebKit2.WebContext.get_default()
context.set_automation_allowed(True)
# Nothing outside this machine is asked for: there is no such proxy, and this machine needs none.
context.get_website_data_manager().set_network_proxy_settings(
    WebKit2.NetworkProxyMode.CUSTOM,
    WebKit2.NetworkProxySettings.new("http://127.0.0.1:9", ["127.0.0.1"]),
)


def view(**more):
    made = WebKit2.WebView(**more)
    window = Gtk.Window(decorated=False)
    window.add(made)
    window.show_all()
    made.connect("create", lambda opener, _: view(related_view=opener))
    made.connect("close", lambda _: window.destroy())
    return made


def started(_context, session):
    info = WebKit2.ApplicationInfo()
    # The name and version that the driver looks for.
    info.set_name("MiniBrowser")
    info.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(info)
    session.connect("create-web-view", lambda _: view(web_context=context, is_controlled_by_automation=True))


context.connect("automation-started", started)
Gtk.main()
