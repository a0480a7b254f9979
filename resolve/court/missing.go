package court

import (
	"slices"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// complete returns a row with the facts of fields that are missing from the snapshot, as they are known, and whether any was
// filled in. The source renamed a key, so an empty value says nothing; without this, one renamed column would wipe the
// judges of a whole county. The row itself is not changed.
func (r *Report) complete(row *snapshot.CourtRow, missing resolve.MissingFields) (*snapshot.CourtRow, bool) {
	if len(missing) == 0 {
		return row, false
	}
	m := &completing{missing: missing}
	out := *row
	if row.Case != nil && row.Whole {
		facts := *row.Case
		m.text(&facts.Judge, r.Judge, "case.judge")
		m.text(&facts.HearingLink, r.HearingLink, "case.link")
		out.Case = &facts
	}
	out.Charges = m.charges(row, r.Charges.Standing())
	out.Dispositions = m.dispositions(row, r.Dispositions.Standing())
	out.Hearings = m.hearings(row, r.Hearings.Standing())
	if !m.filled {
		return row, false
	}
	return &out, true
}

// completing fills the gaps of a row, and notes that there were some.
type completing struct {
	missing resolve.MissingFields
	filled  bool
}

// text fills in a text that the row lacks, where one of the fields that would report it is missing.
func (m *completing) text(said *string, known string, fields ...string) {
	if *said == "" && known != "" && m.missing.Any(fields...) {
		*said, m.filled = known, true
	}
}

// charges returns the charges of a row with their gaps filled. Where the descriptions are missing there are none to match, and
// the known charges stay.
func (m *completing) charges(row *snapshot.CourtRow, known []snapshot.CaseCharge) []snapshot.CaseCharge {
	if len(row.Charges) == 0 && row.Whole && m.missing.Any("charge.description") {
		m.filled = m.filled || len(known) > 0
		return known
	}
	out := slices.Clone(row.Charges)
	for i := range out {
		c := &out[i]
		at := slices.IndexFunc(known, func(k snapshot.CaseCharge) bool { return k.Seq == c.Seq && k.Description == c.Description })
		if at < 0 {
			continue
		}
		m.text(&c.Statute, known[at].Statute, "charge.statute")
		m.text(&c.Severity, known[at].Severity, "charge.severity")
		m.text(&c.Disposition, known[at].Disposition, "charge.disposition")
	}
	return out
}

// dispositions returns the dispositions of a row with their gaps filled, or the known ones.
func (m *completing) dispositions(row *snapshot.CourtRow, known []snapshot.DispositionFacts) []snapshot.DispositionFacts {
	if len(row.Dispositions) == 0 && row.Case != nil && m.missing.Any("case.disposition", "case.disposition_date", "disposition.date", "disposition.outcome") {
		m.filled = m.filled || len(known) > 0
		return known
	}
	out := slices.Clone(row.Dispositions)
	for i := range out {
		d := &out[i]
		at := slices.IndexFunc(known, func(k snapshot.DispositionFacts) bool { return k.Date == d.Date && k.Outcome == d.Outcome })
		if at >= 0 {
			m.text(&d.Sentence, known[at].Sentence, "case.sentence", "disposition.sentence")
		}
	}
	return out
}

// hearings returns the hearings of a row with their gaps filled, or the known ones.
func (m *completing) hearings(row *snapshot.CourtRow, known []snapshot.HearingFacts) []snapshot.HearingFacts {
	if len(row.Hearings) == 0 && row.Whole && m.missing.Any("hearing.date") {
		m.filled = m.filled || len(known) > 0
		return known
	}
	out := slices.Clone(row.Hearings)
	for i := range out {
		if k := m.sameHearing(&out[i], known); k != nil {
			m.hearing(&out[i], k)
		}
	}
	return out
}

// hearing fills the gaps of h from the hearing k that it is. It keeps the name under which k is known.
func (m *completing) hearing(h, k *snapshot.HearingFacts) {
	if h.Event != k.Event {
		h.Event, m.filled = k.Event, true
	}
	if h.Time == "" && k.Time != "" && m.missing.Any("hearing.time") {
		h.Time, h.StartsAt, m.filled = k.Time, k.StartsAt, true
	}
	m.text(&h.Kind, k.Kind, "hearing.kind")
	m.text(&h.Judge, k.Judge, "hearing.judge")
	m.text(&h.Location, k.Location, "hearing.location")
	m.text(&h.Link, k.Link, "hearing.link")
	if k.Cancelled && !h.Cancelled && m.missing.Any("hearing.cancelled") {
		h.Cancelled, m.filled = true, true
	}
}

// sameHearing finds the known hearing that h is; nil: none. Where the court's numbers or the times are missing, that is one of
// the same day, of the same time or alone on that day.
func (m *completing) sameHearing(h *snapshot.HearingFacts, known []snapshot.HearingFacts) *snapshot.HearingFacts {
	var day []*snapshot.HearingFacts
	for i := range known {
		if known[i].Date == h.Date {
			day = append(day, &known[i])
		}
	}
	for _, k := range day {
		if k.Event == h.Event {
			return k
		}
	}
	timeless := m.missing.Any("hearing.time")
	if !timeless && !m.missing.Any("hearing.event") || h.Event != dayAndTime(h) {
		return nil
	}
	for _, k := range day {
		if k.Time == h.Time || timeless && h.Time == "" && len(day) == 1 {
			return k
		}
	}
	return nil
}

// dayAndTime returns the name of a hearing that the court does not number: 2026-04-02T09:00, or 2026-04-02T without a time.
func dayAndTime(h *snapshot.HearingFacts) string { return h.Date.String() + "T" + h.Time }
