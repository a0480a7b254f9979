package db

import "rollcall/models"

// OfVerdict joins a verdict v with its case c.
const OfVerdict = `(c.county_id, c.court_type, c.case_number, c.party) = (v.county_id, v.court_type, v.case_number, v.party)`

// RecordTable is where the records of a family stand: their table and its key.
type RecordTable struct{ Name, Key string }

// RecordTables are the tables of the families.
var RecordTables = map[models.Family]RecordTable{
	models.Roster: {"bookings", "rid"}, models.Courts: {"court_cases", "id"}, models.Corrections: {"corrections_records", "cid"},
}

// LastSeenSQL is when a source src showed the key of a sighting g last.
const LastSeenSQL = `case when g.present and g.misses = 0 then greatest(g.snapshot_at, src.last_complete) else g.snapshot_at end`

// SightingsOf are the sightings of the booking rid. They are looked up by it (offset), as the server, which knows
// little of a source that is new, would else begin with all that the source ever told, for each booking again.
func SightingsOf(rid string) string {
	return `(select * from sightings where rid = ` + rid + ` offset 0)`
}
