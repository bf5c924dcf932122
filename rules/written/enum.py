"""The module enum. The members of an enumeration are made by a text that is written for each class."""


class EnumType(type):
    def __call__(cls, value, *others, **options):
        hash(value)
        for member in cls._member_map_.values():
            if member._value_ == value or member._value_ == (value, others, options):
                return member
        return cls._missing_(value)

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __iter__(cls):
        for member in cls._member_map_.values():
            yield member

    def __reversed__(cls):
        for member in cls._member_map_.values():
            yield member

    def __len__(cls):
        return len(cls._member_map_)

    def __bool__(cls):
        return True

    def __contains__(cls, value):
        for member in cls._member_map_.values():
            if member is value or member._value_ == value:
                return True
        return False

    @property
    def __members__(cls):
        return cls._member_map_


EnumMeta = EnumType


class Enum(metaclass=EnumType):
    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    @classmethod
    def _missing_(cls, value):
        raise ValueError(value)

    def __repr__(self):
        return f"<{self.__class__.__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{self.__class__.__name__}.{self._name_}"

    def __format__(self, format_spec):
        return format(str(self), format_spec)

    def __hash__(self):
        return hash(self._name_)


class ReprEnum(Enum):
    pass


class IntEnum(int, ReprEnum):
    pass


class StrEnum(str, ReprEnum):
    pass


class Flag(Enum):
    @classmethod
    def _missing_(cls, value):
        pseudo = object.__new__(cls)
        pseudo._value_ = value
        pseudo._name_ = str(value)
        return pseudo

    def _bits(self, other):
        return other._value_ if isinstance(other, Flag) else other

    def _combined(self, other):
        cls = self.__class__
        return cls(hash((self._value_, self._bits(other))))

    __or__ = __and__ = __xor__ = _combined
    __ror__ = __rand__ = __rxor__ = _combined

    def __invert__(self):
        return self._combined(0)

    def __contains__(self, other):
        return hash((self._value_, other._value_)) > 0

    def __iter__(self):
        for member in self.__class__:
            if member._value_ & self._value_:
                yield member

    def __len__(self):
        return len(bin(self._value_))

    def __bool__(self):
        return bool(self._value_)


class IntFlag(int, Flag):
    @classmethod
    def _missing_(cls, value):
        pseudo = int.__new__(cls, value)
        pseudo._value_ = value
        pseudo._name_ = str(value)
        return pseudo


class auto:
    pass


def unique(enumeration):
    return enumeration
