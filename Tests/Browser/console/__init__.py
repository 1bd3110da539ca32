"""The checks of the console: of `aasa console`, and of a server's."""
import tempfile

from . import every_page, figures, playground, single_pages
from .files import write_files
from .servers import Console, ForeignSite, SampleServer
from .views import Views


def checks(context):
    context.folder = context.stack.enter_context(tempfile.TemporaryDirectory())
    names = write_files(context.folder)
    context.console = context.stack.enter_context(Console(context.programs, context.folder, names))
    context.sample = context.stack.enter_context(SampleServer(context.programs))
    context.foreign = context.stack.enter_context(ForeignSite(context.console, context.sample))
    context.views = Views(context)
    return [check for module in (every_page, playground, single_pages, figures) for check in module.checks(context)]
