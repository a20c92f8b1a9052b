"""A long line between two network namespaces: delay, loss, and a rate with a short queue.

netem would do this, but many kernels are built without it. Each end is a TUN device that has a route to the other host.
"""
import collections
import ctypes
import fcntl
import os
import random
import select
import signal
import struct
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
QUEUE_SECONDS = 0.1


def open_end(namespace, name):
    """A TUN device in a namespace; its descriptor works from everywhere."""
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    other = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(other, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), f"setns {namespace}")
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH14x", name.encode(), IFF_TUN_NO_PI))
    libc.setns(own, CLONE_NEWNET)
    os.close(own)
    os.close(other)
    return end


class Direction:
    def __init__(self, source, target, delay, loss, bytes_per_second):
        self.source, self.target = source, target
        self.delay, self.loss, self.rate = delay, loss, bytes_per_second
        self.free_at = 0.0
        self.waiting = collections.deque()

    def take(self, now):
        for _ in range(256):
            try:
                packet = os.read(self.source, 65536)
            except BlockingIOError:
                return
            self.free_at = max(self.free_at, now)
            if random.random() < self.loss or self.free_at - now > QUEUE_SECONDS:
                continue
            self.free_at += len(packet) / self.rate
            self.waiting.append((self.free_at + self.delay, packet))

    def deliver(self, now):
        while self.waiting and self.waiting[0][0] <= now:
            try:
                os.write(self.target, self.waiting.popleft()[1])
            except OSError:
                pass  # The host refuses it, as while its link is not up yet.


def main():
    one, other, milliseconds, percent, megabits, seed = sys.argv[1:]
    random.seed(int(seed))
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # The device of an earlier line may still be there.
    device = f"line{os.getpid()}"
    ends = [open_end(one, device), open_end(other, device)]
    shape = (float(milliseconds) / 1000, float(percent) / 100, float(megabits) * 125_000)
    directions = [Direction(ends[0], ends[1], *shape), Direction(ends[1], ends[0], *shape)]
    # In one piece: the reader closes the pipe after the first.
    os.write(1, f"{device}\n".encode())
    poll = select.poll()
    for end in ends:
        poll.register(end, select.POLLIN)
    while True:
        now = time.monotonic()
        for direction in directions:
            direction.take(now)
            direction.deliver(now)
        poll.poll(1 if any(direction.waiting for direction in directions) else 100)


main()
