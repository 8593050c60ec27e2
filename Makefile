# Weir on one machine. `make help` tells what there is.
SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON ?= python3.11
WEIR_PACKAGES ?= $(CURDIR)/.weir
export PYTHON WEIR_PACKAGES

VENV := $(WEIR_PACKAGES)/venv
STACK := $(VENV)/bin/weir-stack
TESTS := $(VENV)/bin/python tests/run.py

.PHONY: demo up down status logs clean distclean check test unit lint long lock images release help machine venv venv-test

demo: machine venv  ## Set everything up, start it, replay the recorded center [SPEED=..] [FRESH=1]
	@$(STACK) demo $(if $(SPEED),--speed $(SPEED)) $(if $(FRESH),--fresh)

up: machine venv  ## Start the whole stack (sets up what is missing)
	@$(STACK) up

down:  ## Stop it; data stays
	@if [ -x $(STACK) ]; then $(STACK) down; else echo "Nothing is set up."; fi

status: venv  ## Each part: up or not, since when, memory, version, lag
	@$(STACK) status

logs: venv  ## Follow the logs [PART=kafka|clickhouse|jobmanager|taskmanager|superset|mailbox|jobs|reference|metrics|notify|watch|reviver]
	@$(STACK) logs $(PART)

check: machine venv  ## Tell what this machine lacks, start nothing
	@$(STACK) check

clean: down  ## Stop the stack and drop its data; downloads stay
	@if [ -x $(STACK) ]; then $(STACK) clean; fi

distclean: clean  ## Drop the downloads too
	@rm -rf "$(WEIR_PACKAGES)"

test: $(if $(SUITE),,machine) venv-test  ## Run all tests, or some of them, after what they need is set up [SUITE=start of a name]
	@$(TESTS) test $(if $(SUITE),"$(SUITE)")

unit: venv-test  ## The unit tests: no stack, under two minutes once the jobs are built
	@$(TESTS) unit

lint: venv-test  ## Every check of the files alone, in seconds
	@$(TESTS) lint

long: venv-test  ## Long runs whose subject has changed since their last result [RUN=its name, see tests/README.md]
	@$(TESTS) long $(RUN)

lock: venv  ## Choose the newest versions the pyproject files allow, and pin them
	@infra/embedded/lock.sh $(VENV)/bin/uv

images:  ## Build the container images (see infra/compose)
	@infra/images/build

release: venv  ## Jars, wheel, images, bills of materials and checksums of this commit [INTO=a new folder]
	@infra/release $(INTO) $(if $(WITHOUT_IMAGES),--without-images)

help:  ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

machine:
	@infra/embedded/machine.sh $(WEIR_PACKAGES)

venv:
	@infra/embedded/bootstrap.sh $(VENV) requirements.lock

venv-test:
	@infra/embedded/bootstrap.sh $(VENV) requirements.lock requirements-test.lock
