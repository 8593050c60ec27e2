"""PBS's hook at a job's end: has the end noted in Weir's spool, and never keeps the job.

As manager, on the server:
    qmgr -c "create hook weir_job_end"
    qmgr -c "set hook weir_job_end event = execjob_epilogue"
    qmgr -c "set hook weir_job_end alarm = 5"
    qmgr -c "import hook weir_job_end application/x-python default weir_job_end_hook.py"
"""

import os

import pbs

COMMAND = "/usr/bin/python3"
HOOK = "/usr/libexec/weir/weir_job_end.py"

event = pbs.event()
try:
    if event.job.in_ms_mom():  # once for each job
        arguments = [COMMAND, "-IS", HOOK, "--job-id", str(event.job.id)]
        os.spawnve(os.P_WAIT, COMMAND, arguments, {})  # noqa: S606 no shell is wanted
except Exception as error:  # whatever it is, the job ends
    pbs.logmsg(pbs.LOG_WARNING, "weir_job_end: " + repr(error))
event.accept()
