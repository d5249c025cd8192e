"""What Python brings along: names of its library and builtins, and what some of their members give back."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Final

MODULES: Final = frozenset(
    """
    __future__ _thread _typeshed abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore
    atexit audioop base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code
    codecs codeop collections colorsys compileall compression concurrent configparser contextlib contextvars copy
    copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings
    ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc
    genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr
    imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma macpath
    mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt
    ntpath nturl2path numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes
    pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc
    pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
    selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile
    sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol symtable sys
    sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token
    tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu
    uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport
    zlib zoneinfo
    """.split()
)
"""Top-level modules of the standard library, of any version since 3.8."""

BUILTINS: Final = frozenset(
    """
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception
    ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
    ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
    KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented
    NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
    PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning
    StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True
    TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
    UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError __build_class__ __debug__ __doc__
    __file__ __import__ __name__ __package__ __path__ __spec__ abs aiter all anext any ascii bin bool breakpoint
    bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate
    eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance
    issubclass iter len license list locals map max memoryview min next object oct open ord pow print property
    quit range repr reveal_type reversed round set setattr slice sorted staticmethod str sum super tuple type vars
    zip
    """.split()
)
"""Names that every module sees without an import."""

OBJECT_MEMBERS: Final = frozenset(
    """
    __annotations__ __bases__ __class__ __delattr__ __dict__ __dir__ __doc__ __eq__ __format__ __ge__
    __getattribute__ __getstate__ __gt__ __hash__ __init__ __init_subclass__ __le__ __lt__ __module__ __mro__
    __name__ __ne__ __new__ __qualname__ __reduce__ __reduce_ex__ __repr__ __setattr__ __sizeof__ __slots__
    __str__ __subclasses__ __subclasshook__ __weakref__ mro
    """.split()
)
"""Members that every class or instance has from `object` and `type`."""

BUILTIN_CLASSES: Final = frozenset(
    "bool bytearray bytes complex dict float frozenset int list memoryview object range set slice str tuple".split()
)
"""Builtins whose call gives a value of that very class."""

ELEMENT_CALLS: Final = {
    "builtins.list": "list",
    "builtins.tuple": "tuple",
    "builtins.set": "set",
    "builtins.frozenset": "frozenset",
    "builtins.sorted": "list",
    "builtins.reversed": "reversed",
    "builtins.iter": "iterator",
    "builtins.filter": "filter",
    "collections.deque": "deque",
    "itertools.chain": "chain",
    "itertools.islice": "islice",
}
"""Calls that give a container of the elements of an argument."""

FIRST_ARGUMENT_CALLS: Final = frozenset(
    """
    asyncio.shield asyncio.wait_for attr.evolve attrs.evolve
    copy.copy copy.deepcopy copy.replace dataclasses.replace functools.update_wrapper inspect.unwrap
    typing.cast weakref.proxy
    """.split()
)
"""Calls that give a value like their first argument (`typing.cast` names a type there)."""

TASK_CALLS: Final = frozenset({"asyncio.create_task", "asyncio.ensure_future", "asyncio.run"})
"""Calls that run a coroutine: `run` gives what it gives, the others a task that does."""

VALUE_METHODS: Final = {
    "dict.get": 1,
    "dict.pop": 1,
    "dict.setdefault": 1,
    "dict.__getitem__": 1,
    "list.pop": 0,
    "list.__getitem__": 0,
    "set.pop": 0,
    "deque.pop": 0,
    "deque.popleft": 0,
    "ContextVar.get": 0,
    "Future.result": 0,
    "Queue.get": 0,
    "Queue.get_nowait": 0,
    "Task.result": 0,
    "defaultdict.get": 1,
    "defaultdict.pop": 1,
    "OrderedDict.get": 1,
    "OrderedDict.pop": 1,
}
"""Methods that give an element: position of the type argument that it has."""

CONTAINER_METHODS: Final = {
    "dict.values": ("dict_values", (1,)),
    "dict.keys": ("dict_keys", (0,)),
    "dict.copy": ("dict", (0, 1)),
    "list.copy": ("list", (0,)),
    "set.copy": ("set", (0,)),
    "frozenset.copy": ("frozenset", (0,)),
    "frozenset.union": ("frozenset", (0,)),
    "frozenset.difference": ("frozenset", (0,)),
    "frozenset.intersection": ("frozenset", (0,)),
    "set.union": ("set", (0,)),
    "set.difference": ("set", (0,)),
    "set.intersection": ("set", (0,)),
}
"""Methods that give a container: its class and the positions of the type arguments that it takes over."""

STRING_METHODS: Final = frozenset(
    """
    capitalize casefold center expandtabs format format_map join ljust lower lstrip removeprefix removesuffix replace
    rjust rstrip strip swapcase title translate upper zfill
    """.split()
)
"""Methods of `str` that give a `str`."""

RESULT_CLASSES: Final = {
    "str.split": "list",
    "str.rsplit": "list",
    "str.splitlines": "list",
    "str.encode": "bytes",
    "bytes.decode": "str",
    "str.count": "int",
    "str.find": "int",
    "str.index": "int",
    "str.startswith": "bool",
    "str.endswith": "bool",
    "str.isdigit": "bool",
    "len": "int",
    "repr": "str",
    "ascii": "str",
    "format": "str",
    "chr": "str",
    "hex": "str",
    "ord": "int",
    "id": "int",
    "hash": "int",
    "abs": "int",
    "round": "int",
    "isinstance": "bool",
    "issubclass": "bool",
    "callable": "bool",
    "hasattr": "bool",
    "any": "bool",
    "all": "bool",
    "input": "str",
}
"""Builtin functions and methods whose result is a value of a builtin class."""

ITERABLE_CLASSES: Final = frozenset(
    """
    list tuple set frozenset deque List Sequence Iterable Iterator Set FrozenSet Tuple Collection MutableSequence
    AbstractSet MutableSet Generator AsyncIterator AsyncIterable AsyncGenerator Reversible KeysView ValuesView Deque
    Container generator iterator filter reversed chain islice enumerate zip map dict_keys dict_values dict_items
    """.split()
)
"""Classes whose first type argument is the type of their elements."""

MAPPING_CLASSES: Final = frozenset(
    "dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict Counter ChainMap".split()
)
"""Classes whose type arguments are those of keys and values."""

TRANSPARENT_TYPES: Final = frozenset(
    """
    Optional Required NotRequired ReadOnly ClassVar Final Annotated Awaitable Coroutine Unpack TypeGuard InitVar
    """.split()
)
"""Special forms that stand for the type in their first (`Coroutine`: last) argument."""

ARGUMENT_CLASSES: Final = {
    "contextlib.aclosing": "contextlib.AbstractAsyncContextManager",
    "contextlib.closing": "contextlib.AbstractContextManager",
    "contextlib.nullcontext": "contextlib.AbstractContextManager",
    "weakref.ref": "weakref.ref",
    "weakref.ReferenceType": "weakref.ref",
}
"""Classes -> those that their instances are; the type of the first argument is their first type argument."""

BUILTIN_FIXTURES: Final = {
    "cache": "pytest.Cache",
    "capfd": "pytest.CaptureFixture",
    "capfdbinary": "pytest.CaptureFixture",
    "caplog": "pytest.LogCaptureFixture",
    "capsys": "pytest.CaptureFixture",
    "capsysbinary": "pytest.CaptureFixture",
    "monkeypatch": "pytest.MonkeyPatch",
    "pytestconfig": "pytest.Config",
    "pytester": "pytest.Pytester",
    "recwarn": "pytest.WarningsRecorder",
    "request": "pytest.FixtureRequest",
    "testdir": "pytest.Testdir",
    "tmp_path": "pathlib.Path",
    "tmp_path_factory": "pytest.TempPathFactory",
    "tmpdir": "py.path.local",
}
"""Fixtures that pytest itself has, and the classes of what they give."""

CALLBACK_SOURCES: Final = {
    ("builtins.filter", "0"): 1,
    ("builtins.list.sort", "key"): -1,
    ("builtins.map", "0"): 1,
    ("builtins.max", "key"): 0,
    ("builtins.min", "key"): 0,
    ("builtins.sorted", "key"): 0,
    ("itertools.groupby", "1"): 0,
    ("itertools.groupby", "key"): 0,
}
"""(function, where a callback is passed) -> the argument whose elements it is called with; -1 for the receiver's."""

VALUE_ATTRIBUTES: Final = (["ExceptionInfo", "value"], ["_AssertRaisesContext", "exception"])
"""Attributes that give a value of the first type argument of their class."""

OPEN_TYPES: Final = frozenset("Any Incomplete ModuleType Namespace SimpleNamespace Type TypeVar object type".split())
"""Types of which a value may have any member, those of the repository among them."""

RESULT_TYPES: Final = frozenset({"Future", "Task", "Deferred", "coroutine"})
"""Classes whose instances give a value of their first type argument when they are awaited."""

CLOSED_MODULES: Final = frozenset(
    """
    array ast base64 bisect bz2 calendar cmath codecs colorsys configparser csv datetime decimal difflib dis email
    errno faulthandler filecmp fileinput fnmatch fractions ftplib getopt getpass gettext glob grp gzip hashlib hmac
    html http imaplib io ipaddress json keyword linecache locale logging lzma marshal math mimetypes mmap netrc nntplib
    numbers os pathlib platform plistlib poplib posixpath pprint pwd py_compile pyclbr re readline resource
    secrets select selectors shlex shutil signal site smtplib socket ssl stat statistics string stringprep struct
    subprocess symtable sys sysconfig syslog tarfile telnetlib tempfile termios textwrap time timeit token tokenize
    trace traceback tty unicodedata urllib uuid wave webbrowser winreg xml zipfile zlib zoneinfo
    """.split()
)
"""Modules whose functions and objects give nothing but values of the standard library, whatever is passed to them."""

CLASS_CALLS: Final = {
    "builtins.open": "io.TextIOWrapper",
    "collections.defaultdict": "collections.defaultdict",
    "datetime.date": "datetime.date",
    "datetime.datetime": "datetime.datetime",
    "datetime.datetime.now": "datetime.datetime",
    "datetime.datetime.utcnow": "datetime.datetime",
    "datetime.date.today": "datetime.date",
    "datetime.timedelta": "datetime.timedelta",
    "datetime.time": "datetime.time",
    "logging.getLogger": "logging.Logger",
    "re.compile": "re.Pattern",
    "re.match": "re.Match",
    "re.search": "re.Match",
    "re.fullmatch": "re.Match",
    "socket.socket": "socket.socket",
    "threading.Lock": "threading.Lock",
    "threading.RLock": "threading.RLock",
}
"""Calls that give an instance of a class of the standard library: package and class."""

BINARY_METHODS: Final = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "**": "__pow__",
    "@": "__matmul__",
    "&": "__and__",
    "|": "__or__",
    "^": "__xor__",
    "<<": "__lshift__",
    ">>": "__rshift__",
}
"""Binary operators and the methods that they call (data model, 3.3.8)."""


def _class_members() -> dict[str, frozenset[str]]:
    text = resources.files("graph.languages.python").joinpath("members.toml").read_text("utf-8")
    table: dict[str, frozenset[str]] = {}
    for entry in tomllib.loads(text)["classes"]:
        table.update(dict.fromkeys(entry["names"].split(), frozenset(entry["members"].split())))
    return table


CLASS_MEMBERS: Final = _class_members()
"""`module.Class` -> the members that instances and the class have, dunder names and those of `object` left out."""
