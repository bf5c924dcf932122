"""The module contextlib, as far as it is about managers made of generators and functions."""


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, typ, value, traceback):
        return None


class AbstractAsyncContextManager:
    async def __aenter__(self):
        return self

    async def __aexit__(self, typ, value, traceback):
        return None


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)

        return inner


class AsyncContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        async def inner(*args, **kwds):
            async with self._recreate_cm():
                return await func(*args, **kwds)

        return inner


class _GeneratorContextManager(ContextDecorator):
    def __init__(self, func, args, kwds):
        self.gen = func(*args, **kwds)
        self.func, self.args, self.kwds = func, args, kwds

    def _recreate_cm(self):
        cls = self.__class__
        return cls(self.func, self.args, self.kwds)

    def __enter__(self):
        return next(self.gen)

    def __exit__(self, typ, value, traceback):
        if typ is None:
            next(self.gen, None)
            return False
        try:
            self.gen.throw(value)
        except StopIteration:
            return True
        return False


class _AsyncGeneratorContextManager(AsyncContextDecorator):
    def __init__(self, func, args, kwds):
        self.gen = func(*args, **kwds)
        self.func, self.args, self.kwds = func, args, kwds

    def _recreate_cm(self):
        cls = self.__class__
        return cls(self.func, self.args, self.kwds)

    async def __aenter__(self):
        return await anext(self.gen)

    async def __aexit__(self, typ, value, traceback):
        if typ is None:
            await anext(self.gen, None)
            return False
        try:
            await self.gen.athrow(value)
        except StopAsyncIteration:
            return True
        return False


def contextmanager(func):
    def helper(*args, **kwds):
        return _GeneratorContextManager(func, args, kwds)

    helper.__wrapped__ = func
    return helper


def asynccontextmanager(func):
    def helper(*args, **kwds):
        return _AsyncGeneratorContextManager(func, args, kwds)

    helper.__wrapped__ = func
    return helper
