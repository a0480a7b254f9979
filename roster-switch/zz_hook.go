package ingest

import _ "rollcall/models/claim"
