package court

import (
	"context"
	"iter"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/resolve/court"
)

// createdCase are the columns of a new case.
var createdCase = []string{
	"id", "county_id", "court_type", "case_number", "party", "source_id", "defendant", "name_key", "dob", "birth_year", "booking_key", "offense",
	"filed_date", "filed_inferred", "bail_cents", "status", "status_text",
	"judge", "hearing_link", "withheld", "because_booking", "withheld_since", "snapshot_at", "first_seen", "last_seen", "known_at", "last_change", "gen",
}

// insertCases writes cases that nobody knew, with their parts. New cases have no history.
// They go straight into the tables, without the comparison that known cases need.
func insertCases(ctx context.Context, s *engine.Session, made []caseChange) error {
	err := s.Copy(ctx, "court_cases", createdCase, each(made, func(c *caseChange, yield func([]any) bool) bool {
		said := c.saidAt()
		return yield(append(append([]any{c.id, c.key.CountyID, c.key.CourtType, c.key.Number, c.key.Party}, c.facts()...), said, c.firstSeen, said, s.Now,
			s.Now, s.Gen))
	}))
	if err != nil {
		return err
	}
	return copyParts(ctx, s, "", made)
}

// facts returns the columns of a case from source_id to withheld_since. A case that an operator published names no booking
// as its cause.
func (c *caseChange) facts() []any {
	f, v := &c.after, c.after.Visibility
	var booking *int64
	if v.Because != nil && v.Because.Family == models.Roster && !v.Lifted {
		booking = &v.Because.Record
	}
	return []any{
		f.Source, f.Defendant, match.SearchKey(f.Defendant), f.DOB, engine.OrNull(f.BirthYear), engine.OrNull(f.BookingKey), f.Offense, f.Filed,
		f.FiledInferred, engine.OrNull(f.BailCents), f.Status, engine.OrNull(f.StatusText), engine.OrNull(f.Judge), engine.OrNull(f.HearingLink), engine.OrNull(string(v.Withheld())), booking, engine.OrNull(v.Since),
	}
}

// The columns of the tables of parts.
var (
	hearingColumns     = []string{"case_id", "event", "date", "time", "starts_at", "kind", "judge", "location", "link", "cancelled", "snapshot_at"}
	dispositionColumns = []string{"case_id", "seq", "date", "outcome", "sentence"}
	chargeColumns      = []string{
		"case_id", "seq", "description", "statute", "severity", "disposition", "offense_date", "arrest_date", "disposition_date",
	}
)

// copyParts copies the parts of cases into their tables, or into temporary ones whose names have a prefix.
func copyParts(ctx context.Context, s *engine.Session, prefix string, cases []caseChange) error {
	err := s.Copy(ctx, prefix+"hearings", hearingColumns, each(cases, func(c *caseChange, yield func([]any) bool) bool {
		for i := range c.after.Hearings {
			h := &c.after.Hearings[i]
			if !yield([]any{
				c.id, h.ID, h.Date, engine.OrNull(h.Time), h.StartsAt, engine.OrNull(h.Kind), engine.OrNull(h.Judge), engine.OrNull(h.Location),
				engine.OrNull(h.Link), h.Cancelled, h.SaidAt,
			}) {
				return false
			}
		}
		return true
	}))
	if err != nil {
		return err
	}
	err = s.Copy(ctx, prefix+"dispositions", dispositionColumns, each(cases, func(c *caseChange, yield func([]any) bool) bool {
		for _, d := range c.after.Dispositions {
			if !yield([]any{c.id, d.Seq, d.Date, d.Outcome, engine.OrNull(d.Sentence)}) {
				return false
			}
		}
		return true
	}))
	if err != nil {
		return err
	}
	return s.Copy(ctx, prefix+"case_charges", chargeColumns, each(cases, func(c *caseChange, yield func([]any) bool) bool {
		for _, x := range c.after.Charges {
			if !yield([]any{
				c.id, x.Seq, x.Description, engine.OrNull(x.Statute), engine.OrNull(x.Severity), engine.OrNull(x.Disposition),
				engine.OrNull(x.OffenseDate), engine.OrNull(x.ArrestDate), engine.OrNull(x.DispositionDate),
			}) {
				return false
			}
		}
		return true
	}))
}

// each returns the rows that the elements of a list make, any number each.
func each[T any](list []T, rows func(of *T, yield func([]any) bool) bool) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for i := range list {
			if !rows(&list[i], func(row []any) bool { return yield(row, nil) }) {
				return
			}
		}
	}
}

// writtenCase are the columns of a case that a run may change, and whether anything but when it was seen did.
var writtenCase = []string{
	"id", "source_id", "defendant", "name_key", "dob", "birth_year", "booking_key", "offense", "filed_date",
	"filed_inferred", "bail_cents", "status", "status_text",
	"judge", "hearing_link", "withheld", "because_booking", "withheld_since", "last_seen", "changed",
}

// writeCases writes the cases that became others with their history, and when others were seen. A case that was only seen
// again keeps its generation, so caches stay valid. by is what the history is ascribed to.
//
// Parts are replaced by set: the statements compare what was copied with what is stored, and touch what differs. Hearings keep
// their ids, by which calendars and history know them.
func writeCases(ctx context.Context, s *engine.Session, all []caseChange, by engine.Origin) error {
	var changes []caseChange
	var versions []engine.Version
	var hidden []int64
	for _, c := range all {
		// Nothing is new, not even when it was seen.
		if !c.changed() && !c.saidAt().After(c.lastSeen) && !c.heard() {
			continue
		}
		changes = append(changes, c)
		if c.before.Visibility.Withheld() == models.Published && c.after.Visibility.Withheld() != models.Published {
			hidden = append(hidden, c.id)
		}
		source := by.Source
		if source == "" {
			source = c.after.Source
		}
		for _, v := range c.versions {
			versions = append(versions, engine.Version{Record: c.id, Source: source, Version: v})
		}
	}
	if len(changes) == 0 {
		return nil
	}
	// A run has the lock already; an operator's action may not.
	if err := s.Lock(ctx); err != nil {
		return err
	}
	if err := s.WriteVersions(ctx, by.Run, versions); err != nil {
		return err
	}
	for _, name := range []string{
		"create_written_cases", "create_written_hearings", "create_written_dispositions", "create_written_charges",
		"clear_written_cases",
	} {
		if err := s.Do(ctx, name, nil); err != nil {
			return err
		}
	}
	err := s.Copy(ctx, "written_court_cases", writtenCase, each(changes, func(c *caseChange, yield func([]any) bool) bool {
		return yield(append(append([]any{c.id}, c.facts()...), c.saidAt(), c.changed()))
	}))
	if err != nil {
		return err
	}
	if err := copyParts(ctx, s, "written_", changes); err != nil {
		return err
	}
	for _, name := range []string{"write_cases", "write_hearings", "write_dispositions", "write_charges"} {
		if err := s.Do(ctx, name, engine.Args{"now": s.Now, "gen": s.Gen}); err != nil {
			return err
		}
	}
	_, err = s.Withdraw(ctx, hidden)
	return err
}

// heard reports whether a hearing was reported again without a change. The case is written then, as a hearing has an instant
// of its own.
func (c *caseChange) heard() bool {
	said := map[string]court.Hearing{}
	for _, h := range c.before.Hearings {
		said[h.ID] = h
	}
	for _, h := range c.after.Hearings {
		if was, known := said[h.ID]; known && !was.SaidAt.Equal(h.SaidAt) {
			return true
		}
	}
	return false
}
