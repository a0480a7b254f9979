package mapping

import (
	"slices"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
	"rollcall/ingest/value"
	"rollcall/models/snapshot"
)

// keyOnly maps a record that states a release and names nothing but the booking's key: some vendors send it
// as a message of its own. ok is false for a record that is a booking. In the hour that November repeats,
// both instants are kept, as the booking decides which is meant.
func (m *Mapper) keyOnly(rec decode.Fields, row *snapshot.RosterRow) (ok bool, bad *Rejected) {
	release := m.entities["release"]
	if release == nil {
		return false, nil
	}
	row.Key, bad = release.get("number").number(rec)
	if bad != nil || row.Key == "" {
		return bad != nil, bad
	}
	row.KeyOnly = true
	if len(row.Key) > 500 {
		return true, reject("release.number", "is longer than 500 bytes")
	}
	if bad = m.observed(release.get("observed_at"), rec, &row.SeenAt); bad != nil {
		return true, bad
	}
	at, told, bad := release.get("released_at").moment(rec)
	switch {
	case bad != nil:
		return true, bad
	case !told:
		row.ReleasedAt, row.ReleaseInferred = new(row.SeenAt), true
	case at.At.After(row.SeenAt):
		row.PlannedRelease = &at.At
	default:
		row.ReleasedAt = &at.At
		if second, twice := value.Again(at.At); at.Wall && at.Clock && twice {
			row.ReleasedAgain = &second
		}
	}
	return true, nil
}

// checkRelease notes a source whose bookings have no key that a release could name.
func (id *Identity) checkRelease(spec Spec, path string, problems *document.Problems) {
	if spec["release"] == nil {
		return
	}
	if !hasField(spec["release"], "number") {
		problems.Add("fields.release.number", "is missing: which booking is released?")
	}
	if len(id.Booking) == 0 || !slices.Equal(id.Booking[0].Of, []string{"booking.number"}) {
		problems.Add(document.Index(document.At(path, "booking"), 0), "fields.release names bookings by their number alone, so of must be [booking.number]")
	}
}
