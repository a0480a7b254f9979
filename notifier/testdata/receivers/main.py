import base64
import sys

from webhook import verify_service, verify_standard

for line in sys.stdin:
    now, *fields = line.rstrip("\n").split("\t")
    raw = [base64.b64decode(s) for s in fields]
    body = raw[1]
    secret, _, signature, after, id, timestamp, signatures = [b.decode() for b in raw]
    one = verify_service(secret, body, signature, after)
    two = verify_standard(secret, body, id, timestamp, signatures, int(now))
    print(str(one).lower(), str(two).lower())
