"""Statements of random programs, those with the protected operation apart."""

from __future__ import annotations

from healguard_lab.random_programs.templates import paragraphs

STATEMENTS = paragraphs("""
8* <let:int> = <int>

3* <let:str> = <str>

3* <let:ints> = <ints>

2* <let:table> = <table>

<let:pair> = <pair>

<let:bag> = <bag>

<let:seq> = <seq>

2* <let:rows> = <rows>

3* <let:obj> = <obj>

<let:objs> = <objs>

3* <let:fn> = <fn>

<let:it> = <it>

2* <let:obj> = <var:obj>

2* <let:ints> = <var:ints>

<let:table> = <var:table>

3* <set:int> = <const>

4* <set:int> = <int>

<set:str> = <str>

<set:ints> = <ints>

<set:obj> = <obj>

4* <place:int> = <int>

3* <place:int> += <int>

<place:int> -= <int>

<set:ints> += [<int>]

<set:str> += <str:leaf>

2* <var:obj>.n = <int>

<var:obj>.m = <const>

<var:obj>.n += <int>

<var:obj>.xs = <ints>

<var:obj>.peer = <obj>

<var:obj>.label = <str>

[top] <var:obj>.hook = <fn>

<var:obj>.extra = <int>

<cls>.count = <int>

<cls>.count += <int>

setattr(<var:obj>, "n", <int>)

<var:ints>[0] = <int>

<var:ints>[<int> % len(<1>)] = <int>

<var:ints>[1:] = [<int>, <int>]

<var:rows>[0] = <ints>

<var:rows>[0].append(<int>)

<var:table>[<key>] = <int>

<var:table>[<key>] += <int>

<var:table>["c"] = <int>
del <1>["c"]

<var:table>.update(b=<int>)

<var:table>.update(<table>)

<var:table>.setdefault(<key>, <int>)

<let:int> = <var:table>.setdefault("d", <int>)

<let:int> = <var:table>.pop("c", <int>)

2* <var:ints>.append(<int>)

<var:ints>.insert(0, <int>)

<var:ints>.extend(<ints>[:3])

<var:ints>.sort()

<var:ints>.reverse()

<var:ints>.append(<int>)
<let:int> = <1>.pop()

<var:ints>.append(<int>)
<let:int> = <1>.pop(0)

<var:ints>.append(<const>)
del <1>[0]

<var:bag>.add(<int>)

<var:bag>.discard(<int>)

<var:objs>.append(<obj>)

<var:objs>[0] = <obj>

<var:objs>[0].n = <int>

<let:int>, <let:int> = <int>, <int>

<let:int>, <let:int> = <pair>

<let:int>, *<let:seq> = <ints>

(<let:int>, <let:int>), <let:str> = <pair>, <str>

<let:int> = <let:int> = <int>

<set:int>, <set:int> = <2>, <1>

<var:obj>.n, <let:int> = <int>, <int>

2* if <cond>:
    <block>

2* if <cond>:
    <block>
else:
    <block>

if <cond>:
    <block>
elif <cond>:
    <block>
else:
    <block>

2* if <cond>:
    <place:int> = <int>

2* for <in:int> in <ints>[:4]:
    <loop>

for <in:int> in range(<int> % 4):
    <loop>

for <in:int>, <in:int> in enumerate(<ints>[:3]):
    <loop>

for <in:int>, <in:int> in zip(<ints>[:3], <ints>):
    <loop>

for <in:str>, <in:int> in <table>.items():
    <place:int> += <2>

for <in:obj> in <objs>[:3]:
    <loop>

for <in:ints> in <rows>[:3]:
    <loop>

for <in:int> in <ints>[:4]:
    if <cond>:
        break
    <loop>
else:
    <block>

for <in:int> in <ints>[:4]:
    if <cond>:
        continue
    <loop>

for <in:int> in <gen>:
    <loop>

for <in:int> in tuple(<it>)[:4]:
    <loop>

<m:__iter__>for <in:int> in <obj>:
    <loop>

[loop] if <cond>:
    break

[loop] if <cond>:
    continue

<in:count> = <int> % 4
while <1>:
    <1> -= 1
    <loop>

<in:count> = 3
while <cond>:
    <1> -= 1
    if <1> < 0:
        break
    <loop>
else:
    <block>

try:
    <block>
finally:
    <block>

try:
    if <cond>:
        raise <extra:Problem>(<int>)
    <block>
except Problem as error:
    <place:int> = error.code

try:
    <block>
    if <cond>:
        raise <extra:Problem>(<int>)
except Problem as error:
    <block>
    <place:int> = error.code
else:
    <block>

try:
    <place:int> = {"a": <int>, "b1": <int>}[<str>]
except KeyError as error:
    <block>

try:
    <place:int> = <ints>[<int>]
except IndexError:
    <block>
else:
    <block>

try:
    <place:int> = int(<str>)
except ValueError:
    <block>
finally:
    <block>

try:
    <place:int> = <int> // <int>
except ZeroDivisionError:
    <block>

try:
    try:
        raise <extra:Problem>(<int>)
    except Problem as error:
        raise ValueError(<str>) from error
except ValueError as error:
    <place:int> = error.__cause__.code

try:
    raise LookupError(<int>, <int>)
except LookupError as error:
    <place:int> = error.args[0]

try:
    <extra:check>(<int>)
    <block>
except ValueError as error:
    <place:str> = str(error)
    <block>

<m:__enter__>with <obj> as <in:obj>:
    <block>

with <extra:scope>(<int>) as <in:int>:
    <block>

with contextlib.suppress(ZeroDivisionError):
    <place:int> = <int> % <int>
    <block>

match <int> % 3:
    case 0:
        <block>
    case 1:
        <block>
    case _:
        <block>

match <ints>:
    case [<in:int>, *_] if <cond>:
        <block>
    case _:
        <block>

match <pair>:
    case (<in:int>, 0 | 1):
        <block>
    case (_, <in:int>):
        <block>

match <table>:
    case {"a": <in:int>}:
        <block>

match <obj>:
    case <cls>(n=<in:int>):
        <block>
    case _:
        <block>

3* def <let:fn>(p):
    return <int:p>

def <let:fn>(p, q=<int>):
    return <int:p,q>

2* def <let:fn>(p):
    <free:int>
    <2> = <int:p>
    return <int:p>

def <let:fn>(p):
    <free:int>
    <2> += p
    return <2>

def <let:fn>(p, q=[<int>]):
    q.append(p)
    return sum(q)

2* <call>

2* <var:obj>.<m:put>(<int>)

<cls>.<m:put>(<var:obj>, <int>)

<var:obj>.<m:put>(p=<int>)

<m:__setitem__><var:obj>[<int>] = <int>

<m:__iadd__><set:obj> += <int>

<extra:mutate>(<var:ints>, <int>)

<extra:touch>(<var:obj>, <int>)

<extra:swap>(<obj>, <obj>)

vars(<var:obj>)["n"] = <int>

<var:obj>.__dict__.update(m=<int>)

del <var:ints>[1:]

<var:ints>[:] = <ints>

<var:ints>[::2] = [<int>] * len(<1>[::2])

globals()["int2"] = <int>

<cls>.tag = <int>

<cls>.<m:get> = lambda self: self.m + <int:leaf>

<var:obj>.<m:mix> = lambda p, q=2: p - q + <int:leaf>

<cls>.shared.append(<int>)

<let:holder> = <extra:Holder>(<int>)
<1>.field = <int>
<let:int> = <1>.field + <1>.plain

<let:proxy> = <extra:Proxy>(<var:obj>)
<1>.n = <int>

<let:pack> = <extra:Pack>(<ints>)
<1>.append(<int>)
<let:int> = <1>.total

<let:it> = <extra:averager>(<int>)
next(<1>)
<let:int> = <1>.send(<int>)

<let:fn>, <let:fn> = <extra:cells>(<int>)
<2>(<int>)
<let:int> = <1>(<int>)

with <extra:Guard>(<int>):
    <extra:check>(<int>)
    <block>

with contextlib.ExitStack() as stack:
    stack.enter_context(<extra:scope>(<int>))
    <block>

with contextlib.nullcontext(<int>) as <in:int>:
    <block>

<m:__enter__>with <obj> as <in:obj>, <extra:scope>(<int>) as <in:int>:
    <block>

match <table>:
    case {"a": 0 | 1, **rest}:
        <place:int> = rest["b"]
    case {"b": int() as <in:int>} if <cond>:
        <block>

try:
    try:
        <extra:check>(<int>)
    except ValueError:
        <place:int> = <int>
        raise
except (ValueError, KeyError) as error:
    <place:int> = error.args[0]

<in:count> = 3
while (<in:int> := <int>) and <1>:
    <1> -= 1
    <loop>

<let:obj> = <obj>
del <1>.xs
<1>.xs = <ints>

<extra:Registry>.known["x"] = <fn>
<let:int> = Registry.known["x"](<int>)

for <in:fn> in [<fn>, <fn>]:
    <place:int> = <1>(<int>)

assert <int> < 10000

if <cond>:
    def <in:fn>(p):
        return <int:p>
else:
    <1> = <fn>
<let:int> = <1>(<int>)

<let:fn> = [lambda p: p + q for q in <ints>][0]

def <let:fn>(p):
    <1>.calls = p
    return <1>.calls + <int:p>

<let:it> = (p + <int> for p in <ints>)
<set:int> = <int>

<let:it> = map(<fn>, <ints>)
<var:ints>.append(<int>)

<let:it> = zip(<ints>, <ints>)
<let:int> = next(<1>)[0]
<let:int> = sum(p + q for p, q in <1>)

<let:it> = enumerate(<ints>, <int>)
<let:int> = next(<1>)[0]

<let:view> = <var:table>.values()
<2>["a"] = <int>
<let:int> = sum(<1>)

del <extra:Gone>(<int>).part
<let:int> = Gone.last

del <extra:Gone>(<int>)[<int>]
<let:int> = Gone.last

<let:total> = <extra:Total>(<int>)
<1> += <int>
<let:int> = <1>.p

class <in:kind>(<cls>):
    rate = <int>
    rates = [1, rate]
    def get_rate(self):
        return self.rate + <int:self>
<let:int> = <1>(<int>).get_rate()

class <in:kind>(<extra:Kinds>, level=<int>):
    pass
<let:int> = Kinds.known[-1]

<var:table> |= {"b": <int>}

<var:ints> *= 2
del <1>[6:]

<let:bag> = set(<ints>)
<1> ^= {<int>}
<1>.add(<const>)

<let:ints> = [<int>, <int>]
<1>.remove(<1>[0])

<let:ints> = list(<ints>)
<1>.sort(key=lambda p: <int:p>, reverse=<cond>)

<let:ints> = <ints>
<1>.clear()
<1>.append(<int>)

<let:deque> = collections.deque(<ints>)
<1>.rotate(1)
<1>.append(<int>)
<let:int> = <1>.popleft()

<let:count> = collections.Counter(<ints>)
<1>.update([<int>, <int>])
<let:int> = <1>[<int>]

<let:heap> = list(<ints>)
heapq.heapify(<1>)
heapq.heappush(<1>, <int>)
<let:int> = heapq.heappop(<1>)

<let:buffer> = bytearray(b"ab")
<1>[0] = <int> % 256
<let:int> = sum(<1>)

try:
    <extra:check>(<int>)
except ValueError as <in:error>:
    <1>.add_note(str(<int>))
    <place:str> = <1>.__notes__[0]

try:
    try:
        <extra:check>(<int>)
    finally:
        raise LookupError(<int>)
except LookupError as error:
    <place:int> = error.args[0] + (error.__context__ is None)

try:
    raise ExceptionGroup("g", [ValueError(<int>), KeyError(<int>)])
except* ValueError as error:
    <place:int> = error.exceptions[0].args[0]
except* KeyError as error:
    <place:int> = error.exceptions[0].args[0]

for <in:int> in <ints>[:3]:
    try:
        if <cond>:
            continue
        <block>
    finally:
        <place:int> = <1>

match <extra:Shape>(<int>, <int>):
    case Shape(<in:int>, 0):
        <block>
    case Shape(x=<in:int>) if <cond>:
        <block>

match <ints>, <int>:
    case [<in:int>, *_], 0:
        <block>
    case [*_], <in:int>:
        <block>

delattr(<var:obj>, "label")
<1>.label = <str>

(<var:ints>[0], <let:int>), <let:int> = <pair>, <int>

[<let:int>, *_] = <ints>

for <var:ints>[0] in <ints>[:2]:
    <block>

with <extra:scope>(<int>) as <var:obj>.n:
    <block>

<let:fn> = <cls>.<m:mix>.__get__(<obj>)

<let:fn> = functools.lru_cache(<func1>)

<let:memo> = {}
<let:int> = [<1>.setdefault(p % 2, p) for p in <ints>][-1] + sum(<1>.values())

[function] if <cond>:
    return <int>

[yields] 6* yield <int>

[yields] 2* yield from <ints>[:3]
""")

PAYMENTS = paragraphs("""
9* pay(<int>)

2* pay(<int>, <int>)

pay(<int>, rate=<int>)

2* pay(<str>)

2* pay(<ints>)

pay(*<ints>)

pay(*<seq>)

pay(**<table>)

pay(<table>)

pay(<pair>)

pay(<bag>)

pay(<rows>)

2* pay(<obj>)

pay(<objs>)

2* pay(<obj>.n)

pay(<obj>.xs)

pay(<cond>)

4* if <cond>:
    pay(<const>)

2* if <cond>:
    pay(<int>)
else:
    pay(<int>)

<cond> and pay(<const>)

pay(<const>) if <cond> else pay(<const>)

2* for <in:int> in <ints>[:4]:
    pay(<int>)

for <in:int> in range(<int> % 4):
    pay(<const>)

for <in:int> in <ints>[:4]:
    if <cond>:
        break
    pay(<const>)

list(map(pay, <ints>))

[pay(<int:p>) for p in <ints>]

any(pay(p) for p in <ints> if <cond:p>)

functools.partial(pay, <int>)(<const>)

(lambda p: pay(<int:p>))(<int>)

3* <extra:spend>(<int>)

2* <var:obj>.<m:spend>(<int>)

<extra:apply>(pay, <int>)

{"go": pay}["go"](<int>)

<extra:order>(<int>)

try:
    <place:int> = <ints>[<int>]
    pay(<const>)
except IndexError:
    pay(<const>, 1)

try:
    <place:int> = <const> // <int>
except ZeroDivisionError:
    pay(<const>)

try:
    <extra:check>(<int>)
finally:
    pay(<int>)

try:
    <extra:check>(<int>)
    pay(<int>)
except ValueError as error:
    pay(str(error))

with contextlib.suppress(ValueError):
    <extra:check>(<int>)
    pay(<const>)

match <int>:
    case 0 | 1 | 2:
        pay(<const>)
    case <in:int>:
        pay(<int>)

with <extra:Guard>(<int>):
    <extra:check>(<int>)
    pay(<const>)

with contextlib.ExitStack() as stack:
    stack.callback(pay, <int>)
    <block>

all(pay(p) is None for p in <ints> if <cond:p>)

sorted(<ints>, key=lambda p: (pay(<int:p>), p)[1])

getattr(<extra:Till>(<int>), "pay" if <cond> else "keep")(<int>)

pay(<extra:Holder>(<int>))

pay(vars(<obj>))

pay(*map(<fn>, <ints>))

pay(*(p for p in <ints> if <cond:p>))

pay(<const>, **dict.fromkeys(<str>[:2], 1))

<m:__iter__>pay(*<obj>)

<extra:Registry>.known["pay"] = pay
Registry.known["pay"](<int>)

<cls>.settle = lambda self, p: pay(self.n, p)
<var:obj>.settle(<int>)

while <cond>:
    pay(<const>)
    break
else:
    pay(<const>, 2)

<let:fn> = <extra:payer>(<int>)
<1>(<int>)

[function] if <cond>:
    return <int>
pay(<const>)
""")
