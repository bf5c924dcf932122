"""Expressions of random programs, by kind."""

from __future__ import annotations

from healguard_lab.random_programs.templates import lines

LEAVES = {
    "int": lines("""
        8* <var:int>
        2* <const>
        2* <var:obj>.n
        <var:obj>.m
        <var:ints>[0]
        <var:table>["a"]
        <var:pair>[1]
        """),
    "str": lines("""
        3* <var:str>
        "b"
        "a1"
        <var:obj>.label
        """),
    "cond": lines("""
        <int:leaf> > <const>
        <int:leaf> == <const>
        <int:leaf> != <int:leaf>
        """),
    "ints": lines("""
        6* <var:ints>
        <var:obj>.xs
        [<int:leaf>, <const>]
        """),
    "seq": lines("""
        4* <var:seq>
        ()
        (<int:leaf>,)
        """),
    "named": lines("""
        4* <var:named>
        {}
        {"a": <int:leaf>}
        """),
    "table": lines("""
        5* <var:table>
        {"a": <int:leaf>, "b": <const>}
        """),
    "pair": lines("""
        4* <var:pair>
        (<int:leaf>, <const>)
        """),
    "bag": lines("""
        4* <var:bag>
        {<int:leaf>, <const>}
        """),
    "rows": lines("""
        5* <var:rows>
        [<ints>, [<const>]]
        """),
    "obj": lines("""
        8* <var:obj>
        <cls>(<int:leaf>)
        """),
    "objs": lines("""
        5* <var:objs>
        [<obj>, <obj>]
        """),
    "fn": lines("""
        4* <var:fn>
        2* <func1>
        (lambda p: p + <const>)
        """),
    "it": lines("""
        4* <var:it>
        iter(<ints>)
        """),
}

# From a variable of one kind to a value of another.
CONVERSIONS = {
    "int": {
        "str": "str(@)",
        "cond": "@ > <const>",
        "ints": "[@, <const>]",
        "seq": "(@,)",
        "table": '{"a": @, "b": <const>}',
        "pair": "(<const>, @)",
        "bag": "{@, <const>}",
        "rows": "[[@], [<const>]]",
        "obj": "<cls>(@)",
        "objs": "[<cls>(@)]",
        "fn": "(lambda p: p + @)",
        "it": "iter([@])",
    },
    "str": {"int": "len(@)", "cond": '@ == "b"'},
    "ints": {
        "int": "@[-1]",
        "cond": "<const> in @",
        "seq": "tuple(@)",
        "rows": "[@]",
        "bag": "set(@)",
        "it": "iter(@)",
    },
    "seq": {"int": "sum(@)", "cond": "bool(@)", "ints": "[*@, <const>]"},
    "named": {"int": '@.get("a", <const>)', "cond": '"c" in @'},
    "table": {"int": '@["b"]', "named": "dict(@)", "ints": "list(@.values())"},
    "pair": {"int": "@[0]", "ints": "list(@)", "seq": "@"},
    "bag": {"int": "sum(@)", "cond": "<const> in @"},
    "rows": {"int": "@[0][-1]", "ints": "@[0]"},
    "obj": {"int": "@.n", "ints": "@.xs", "str": "@.label", "objs": "[@]"},
    "objs": {"int": "@[0].n", "obj": "@[0]"},
    "fn": {"int": "@(<const>)", "ints": "[@(<const>), @(2)]"},
    "it": {"int": "next(@, <const>)", "ints": "[<const>, *@]"},
}

EXPRESSIONS = {
    "int": lines("""
        3* (<int> + <int>)
        2* (<int> - <int>)
        (<int> * <const>)
        (<int> * <int> % 97)
        (<int> % 5)
        (<int> // 2)
        -<int:leaf>
        (<int> & 7)
        (<int> ^ <int>)
        abs(<int>)
        min(<int>, <int>)
        max(<int>, <int>, <const>)
        2* (<int> if <cond> else <int>)
        (<int> and <int>)
        (<int> or <int>)
        int(<cond>)
        (<const> if not <cond> else <const>)
        len(<ints>)
        sum(<ints>)
        sum(<seq>)
        <ints>[0]
        <ints>[-1]
        (lambda r: r[<int:p> % len(r)])(<ints>)
        <ints>[::-1][0]
        <ints>.count(<int>)
        max(<ints>)
        sorted(<ints>)[0]
        [<int>, <int>][<cond>]
        {True: <int>, False: <int>}[bool(<cond>)]
        <table>[<key>]
        <table>.get(<key>, <int>)
        <table>.get("zz", <int>)
        sum(<table>.values())
        <table>.copy()[<key>]
        {**<table>, "a": <int>}[<key>]
        (<table> | {"b": <int>})[<key>]
        dict(a=<int>, b=<int>)[<key>]
        <named>.get("a", <int>)
        <extra:Box>(<table>)["zz"]
        <pair>[0]
        <pair>[1]
        divmod(<int>, 7)[1]
        len(<bag>)
        sum(<bag>)
        len(<str>)
        <str>.count("1")
        <str>.find("a")
        int(f'{<int:leaf>}')
        len(f'{<int:leaf>:>4}{<str:leaf>}')
        4* <call>
        <extra:fold>(<int> % 4)
        (lambda p: <int:p>)(<int>)
        (lambda p, q=<int>: p + q)(<int>)
        functools.partial(<func2>, <int>)(<int>)
        functools.reduce(lambda p, q: <int:p,q>, <ints>, <int>)
        [flat] ((<in:int> := <int>) + <1>)
        next(iter(<ints>))
        next(<it>, <int>)
        next(<gen>)
        sum(<gen>)
        sum(<int:p> for p in <ints>)
        len([p for p in <ints> if <cond:p>])
        sum(p for p in <ints> if <cond:p>)
        sum(map(<fn>, <ints>))
        sum(filter(lambda p: <cond:p>, <ints>))
        sum(p * q for p, q in zip(<ints>, <ints>))
        sum(p * q for p, q in enumerate(<ints>))
        any(<cond:p> for p in <ints>) + 1
        all([<cond:p> for p in <ints>]) + 1
        {p: <int:p> for p in <ints>}.get(<int>, <int>)
        <rows>[0][0]
        sum(sum(r) for r in <rows>)
        4* <obj>.n
        2* <obj>.m
        <obj>.xs[0]
        <cls>.count
        <obj>.count
        <cls>.shared[-1]
        <obj>.shared[0]
        len(<obj>.label)
        [top] (<obj>.peer or <obj>).n
        getattr(<obj>, "m")
        getattr(<obj>, "gone", <int>)
        copy.copy(<obj>).n
        copy.deepcopy(<obj>).n
        min(<objs>, key=lambda o: o.n).m
        2* <obj>.<m:get>()
        2* <obj>.<m:mix>(<int>)
        <obj>.<m:mix>(<int>, q=<int>)
        <cls>.<m:calc>(<int>)
        <cls>.<m:make>(<int>).n
        <obj>.<m:size>
        <m:__getitem__><obj>[<int>]
        <m:__call__><obj>(<int>)
        <m:__len__>len(<obj>)
        <m:__iter__>sum(<obj>)
        <m:__add__>(<obj> + <int>)
        <m:__radd__>(<int> + <obj>)
        <m:__neg__>(-<obj>)
        <m:__getattr__><obj>.ghost
        <m:__str__>len(str(<obj>))
        [top] <obj>.hook(<int>)
        2* <fn>(<int>)
        (<fn> if <cond> else <fn>)(<int>)
        sum(itertools.chain(<ints>, <seq>))
        list(itertools.accumulate(<ints>))[-1]
        sum(itertools.islice(<ints>, <int> % 3))
        next(itertools.count(<int>))
        sum(itertools.starmap(lambda p, q: <int:p,q>, [<pair>]))
        len(list(itertools.takewhile(lambda p: <cond:p>, <ints>)))
        next(itertools.dropwhile(lambda p: <cond:p>, <ints>), <int>)
        sum(p * q for p, q in itertools.product(<ints>[:2], <ints>[:2]))
        next(itertools.repeat(<int>))
        sum(itertools.compress(<ints>, <ints>))
        operator.itemgetter(0)(<pair>)
        operator.attrgetter("n")(<obj>)
        operator.add(<int>, <int>)
        operator.methodcaller("count", <int>)(<ints>)
        collections.Counter(<ints>)[<int>]
        collections.deque(<ints>)[-1]
        collections.ChainMap(<table>, <table>)[<key>]
        collections.defaultdict(lambda: <int>, <table>)["zz"]
        collections.OrderedDict(<table>)[<key>]
        collections.namedtuple("Point", "x y")(<int>, <int>).x
        json.loads(json.dumps(<table>))[<key>]
        json.loads(str(<int>))
        math.floor(<int> / 2)
        math.gcd(<int>, <int>)
        math.prod(<ints>[:3])
        len(re.findall(r"\\d", <str>))
        int("0" + re.sub(r"\\D", "", <str>))
        heapq.nsmallest(1, <ints>)[0]
        bisect.bisect(sorted(<ints>), <int>)
        functools.lru_cache(maxsize=None)(<func1>)(<int>)
        vars(<obj>)["n"]
        <obj>.__dict__["m"]
        type(<obj>)(<int>).n
        <obj>.__class__.count
        getattr(<obj>, "n" if <cond> else "m")
        getattr(<obj>, "tag", <int>)
        globals()["int1"]
        (<int>).bit_length()
        int.from_bytes(bytes([<int> % 256]), "big")
        sum(<int:p,q> for p in <ints>[:3] for q in <ints>[:3])
        [[<int:p,q> for q in <ints>[:2]] for p in <ints>[:2]][0][0]
        min(<seq>, default=<int>)
        sum(map(lambda p, q: <int:p,q>, <ints>, <ints>))
        sum(f() for f in [lambda: p for p in <ints>])
        sum(f() for f in [lambda p=p: p for p in <ints>])
        next(iter(lambda: <int>, 99), 3)
        len({**<table>, **<named>})
        sorted(<table>.items())[0][1]
        dict(enumerate(<ints>))[0]
        list(zip(*[<pair>, <pair>]))[0][1]
        (lambda *args: sum(args))(*<ints>)
        (lambda **kw: kw["a"])(**<table>)
        (lambda p, /, q=1, *, k=2: p + q * k)(<int>, k=<int>)
        <extra:counter>(<int>)(<int>)
        <extra:Holder>(<int>).field
        <extra:Proxy>(<obj>).n
        <extra:Pack>([<int>, <int>]).total
        <extra:rescued>(<int>)
        sum(<extra:Walk>(<int>))
        sum(<extra:relay>(<gen>))
        <extra:drive>(<extra:ask>(<int>))
        [<extra:Same>(1), Same(2), Same(<int>)].index(Same(<int> % 2 + 1))
        int(<extra:Same>(<int>) in [Same(1), Same(<int>)])
        {<extra:Same>(1): <int>}.get(Same(<int>), <int>)
        len({<extra:Same>(<int>), Same(1)})
        sorted([<extra:Rank>(<int>), Rank(2)])[0].p
        max(<extra:Rank>(<int>), Rank(<int>)).p
        (1 if <extra:Flag>(<int>) else 2)
        len([*filter(None, [<extra:Flag>(<int>), Flag(1)])])
        any([<extra:Flag>(<int>), <cond>]) + 1
        (not <extra:Flag>(<int>)) + 1
        sum(<extra:Span>(<int>))
        [*reversed(<extra:Span>(<int>))][0]
        <extra:Span>(<int>)[1:<int>]
        int(<int> in <extra:Span>(<int>))
        <extra:Clone>(<int>).twin.p
        copy.copy(<extra:Clone>(<int>)).p
        copy.deepcopy([<extra:Clone>(<int>)])[0].p
        (<extra:Total>(<int>) @ <int>)
        (<extra:Total>(<int>) | <int>)
        divmod(<extra:Total>(<int>), <int>)
        abs(<extra:Total>(<int>))
        round(<extra:Total>(<int>))
        ~<extra:Total>(<int>)
        (<int> - <extra:Total>(<int>))
        <ints>[:<extra:Total>(2)][0]
        type("Made", (<cls>,), {"level": <int>})(<int>).level
        type("Made", (<cls>,), {"mix": lambda self, p: <int:p>})(<int>).mix(<int>)
        <extra:Meta>("Kind", (), {"p": <int>}).twice
        <extra:Kinds>.known[-1]
        <extra:Inner>.rate
        <extra:Inner>.Deep(<int>).p
        <extra:sized>(<int>)
        <extra:final>(<int>)
        <extra:grouped>(<int>)
        <extra:stopped>(<int>)
        <extra:context>(<int>)
        (lambda f: f(f, <int> % 4))(lambda g, p: p and g(g, p - 1) + 1)
        [*zip(*<rows>)][0][0]
        sum([p for p in <ints>], <int>)
        <table>.keys().__len__()
        len(<table>.keys() & {"a", <str>})
        list(<table>)[-1].count("b")
        (lambda *, p=<int>: p)()
        (lambda p, *q: p + len(q))(*<ints>)
        frozenset(<ints>).__len__()
        sum(bytes([<int> % 9, 2]))
        (<seq> or (<int>,))[0]
        (<ints>.index(<ints>[0]) if <cond> else <int>)
        <extra:Shape>(<int>, <int>).area()
        <extra:Shape>(<int>, <int>)._replace(x=<int>).x
        [<extra:Till>(<int>)][0].__dict__["p"]
        (<fn>).__call__(<int>)
        functools.reduce(operator.add, <ints>)
        functools.partial(max, <int>)(<int>, 3)
        <extra:described>(<int>)
        <extra:described>(<str>)
        <extra:cached>(<int>)
        {"x": <fn>, "y": <fn>}["x"](<int>)
        """),
    "cond": lines("""
        4* <int> > <int>
        2* <int> == <const>
        <int> < <int> <= <int>
        <int> in <ints>
        <int> in <bag>
        <int> not in <table>.values()
        "c" in <named>
        <str> == <str>
        <str>.startswith("a")
        "1" in <str>
        (<cond> and <cond>)
        (<cond> or <cond>)
        not <cond>
        isinstance(<obj>, <cls>)
        <obj> is <obj>
        <obj>.peer is None
        <ints> == <ints>
        <pair> < <pair>
        <obj>.n > <const>
        bool(<seq>)
        <m:__contains__><int> in <obj>
        <m:__bool__>bool(<obj>)
        <m:__eq__><obj> == <obj>
        <m:__lt__><obj> < <obj>
        hasattr(<obj>, "extra")
        """),
    "str": lines("""
        2* f'{<int:leaf>}'
        f'{<int:leaf>:03}-{<str:leaf>}'
        2* str(<int>)
        (<str> + <str>)[:12]
        <str>.upper()
        <str>[::-1]
        <str>[:<int> % 4]
        "-".join(str(p) for p in <ints>)[:20]
        "-".join(map(str, <seq>))
        "%d:%s" % (<int>, <str>)
        "{}/{}".format(<int>, <str>)
        "{x}".format(x=<int>)
        <str>.replace("a", <str>)[:12]
        (<str> if <cond> else <str>)
        repr(<pair>)
        chr(97 + <int> % 5)
        (<str> * (<int> % 3))[:12]
        type(<obj>).__name__
        <obj>.label
        max(<str>, <str>)
        <m:__str__>str(<obj>)
        <m:__str__>f'{<var:obj>}'
        "".join(sorted(<str>))
        <str>.partition("a")[2]
        <str>.split("-")[0]
        "{x}{y}".format_map({"x": <int>, "y": <str>})[:12]
        "%(a)s" % <table>
        <str>.title()
        str(<int>).zfill(4)
        <str>.encode().decode()
        bytes([97 + <int> % 5]).decode()
        ", ".join(<table>)
        <str>.strip("a")
        <str>.ljust(6, "x")
        format(<int>, "05d")
        str(<ints>)[:20]
        str(<table>)[:20]
        hex(<int>)
        max(<table>, key=<table>.get)
        f'{<var:obj>.n!r}'
        str(<extra:Text>(<int>))
        f'{<extra:Text>(<int:leaf>)}'
        f'{<extra:Text>(<int:leaf>):>3}'
        "%s" % <extra:Text>(<int>)
        "{!r}".format(<extra:Text>(<int>))
        "-".join(map(str, [<extra:Text>(<int>), <int>]))
        json.dumps(<ints>)[:12]
        re.sub("[a-c]", "x", <str>)
        """),
    "ints": lines("""
        3* [<int>, <int>]
        [*<ints>, <int>][:6]
        (<ints> + [<int>])[:6]
        list(range(1, 2 + <int> % 3))
        [<int:p> for p in <ints>]
        sorted(<ints>)
        sorted(<ints>, key=lambda p: <int:p>)
        sorted(<ints>, key=<fn>, reverse=True)
        list(map(<fn>, <ints>))
        2* list(<ints>)
        <ints>[:]
        (<ints> * 2)[:5]
        copy.copy(<ints>)
        list(<table>.values())
        list(<pair>)
        <ints>[::-1]
        (<ints>[1:] or [<int>])
        ([p for p in <ints> if <cond:p>] or [<int>])
        (list(filter(lambda p: <cond:p>, <ints>)) or [<int>])
        (<ints> if <cond> else <ints>)
        list(dict.fromkeys(<ints>))
        [p + q for p, q in zip(<ints>, <ints>)]
        list(reversed(<ints>))
        <ints>[::2]
        sorted({*<ints>})
        [p for r in <rows> for p in r]
        sum(<rows>, [])[:6]
        [p if <cond:p> else q for p, q in zip(<ints>, <ints>)]
        [ord(s) for s in "a" + <str>]
        [*map(lambda p: <int:p>, <ints>)]
        list(itertools.chain.from_iterable(<rows>))[:6]
        list(collections.deque(<ints>, maxlen=2))
        [p for p, _ in collections.Counter(<ints>).most_common()]
        heapq.nlargest(2, <ints>)
        json.loads(json.dumps(<ints>))
        [<int>, *<seq>]
        list(<gen>)
        <rows>[0]
        <rows>[-1]
        2* <obj>.xs
        <m:__iter__>list(<obj>)
        """),
    "seq": lines("""
        tuple(<ints>)
        (<int>, <int>)
        tuple(<ints>[1:])
        tuple(p for p in <ints> if <cond:p>)
        <seq>[1:]
        (*<seq>, <int>)
        """),
    "named": lines("""
        dict(<table>)
        {"c": <int>}
        {s: p for s, p in <table>.items() if <cond:p>}
        """),
    "table": lines("""
        2* {"a": <int>, "b": <int>}
        dict(a=<int>, b=<int>)
        {**<table>, "a": <int>}
        {"a": <int>, "b": 0, **<table>}
        (<table> | {"b": <int>})
        <table>.copy()
        dict(<table>, b=<int>)
        {s: p + <int> for s, p in <table>.items()}
        dict(zip("ab", <pair>))
        dict.fromkeys("ab", <int>)
        (<table> if <cond> else <table>)
        copy.deepcopy(<table>)
        """),
    "pair": lines("""
        3* (<int>, <int>)
        divmod(<int>, 5)
        <pair>[::-1]
        tuple(sorted(<pair>))
        tuple(p + <int> for p in <pair>)
        min(<pair>, <pair>)
        (*<pair>,)
        (<pair> if <cond> else <pair>)
        """),
    "bag": lines("""
        {<int>, <int>}
        (<bag> | {<int>})
        (<bag> - {<int>})
        (<bag> & {1, 2, <int>})
        set(<ints>)
        {p % 3 for p in <ints>}
        """),
    "rows": lines("""
        [<ints>, <ints>]
        [*<rows>, <ints>][:4]
        copy.copy(<rows>)
        copy.deepcopy(<rows>)
        [list(r) for r in <rows>]
        list(<rows>)
        """),
    "obj": lines("""
        <cls>(<int>)
        <cls>(<int>, m=<int>)
        copy.copy(<obj>)
        copy.deepcopy(<obj>)
        <objs>[0]
        <objs>[-1]
        (<obj> if <cond> else <obj>)
        [top] (<obj>.peer or <obj>)
        <cls>.<m:make>(<int>)
        max(<objs>, key=lambda o: o.n)
        [<obj>, <obj>][<cond>]
        """),
    "objs": lines("""
        [<obj>, <obj>]
        [*<objs>, <obj>][:4]
        list(<objs>)
        sorted(<objs>, key=lambda o: o.n)
        [<cls>(p) for p in <ints>]
        copy.deepcopy(<objs>)
        ([o for o in <objs> if o.n > <int>] or [<obj>])
        """),
    "fn": lines("""
        2* (lambda p: <int:p>)
        (lambda p, q=<int>: <int:p,q>)
        functools.partial(<func2>, <int>)
        functools.partial(<func2>, q=<int>)
        <obj>.<m:mix>
        <cls>.<m:calc>
        <m:__call__><obj>
        <extra:adder>(<int>)
        [<fn>, <fn>][<cond>]
        <func1>
        """),
    "it": lines("""
        iter(<ints>)
        map(<fn>, <ints>)
        (<int:p> for p in <ints>)
        filter(None, <ints>)
        <gen>
        reversed(<ints>)
        """),
}
