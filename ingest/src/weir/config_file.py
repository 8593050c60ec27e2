"""Reads settings from a YAML file, of which the environment overrides each key."""

import os
import time
from abc import abstractmethod
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, YamlConfigSettingsSource

from weir.errors import UserError


class Section(BaseModel):
    """Holds a part of the file; a key that it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FileSettings(BaseSettings):
    """Reads each key from the environment, else from the file that the subclass names."""

    @classmethod
    @abstractmethod
    def file(cls) -> Path:
        """Say where the file is."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Put the environment before the file."""
        return init_settings, env_settings, YamlConfigSettingsSource(settings_cls, yaml_file=cls.file())


class LastingSettings(FileSettings):
    """Adds the file by which a health check sees that a command which keeps running still works."""

    alive_file: Path | None = Field(None, description="its time is when the command will have worked again")

    def alive_for(self, seconds: float) -> None:
        """Give the alive file, if one is set, the time by when the command will have done its work again.

        UserError where it cannot be written.
        """
        if self.alive_file:
            until = time.time() + seconds
            try:
                self.alive_file.touch()
                os.utime(self.alive_file, (until, until))
            except OSError as error:
                raise UserError(
                    f"{self.alive_file}: {error.strerror}. Give alive_file a path that can be written."
                ) from None


Kind = TypeVar("Kind", bound=FileSettings)


def load(kind: type[Kind], way_out: str) -> Kind:
    """Read the active settings; UserError that names all that is missing or wrong at once.

    `way_out` says what to do where there is no file.
    """
    file = kind.file()
    if not file.exists():
        raise UserError(f"{file}: not there. {way_out}")
    try:
        return kind()
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}. It is for group weir: mode 640.") from None
    except yaml.YAMLError as error:
        raise UserError(f"{file}: not YAML: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        wrong = (f"{file}: {'.'.join(map(str, e['loc'])) or 'file'}: {e['msg']}" for e in error.errors())
        raise UserError("\n".join(wrong)) from None
