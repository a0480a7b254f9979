package takeover

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/clean"
	"rollcall/ingest/mapping"
	"rollcall/ingest/value"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// rows converts a reading that pushes to an iterator, as reconcilers take one. An error of the reading is its
// last element.
func rows[T any](push func(yield func(T) bool) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		stopped := false
		err := push(func(v T) bool {
			stopped = stopped || !yield(v, nil)
			return !stopped
		})
		if err != nil && !stopped {
			var none T
			yield(none, err)
		}
	}
}

// errStopped ends a reading whose reader needs no more.
var errStopped = errors.New("stopped")

// keepOrStop passes a good row on and rejects a bad one, whose text is kept encrypted for the operator.
func keepOrStop[T any](b *batch, r *row, line int64, v T, yield func(T) bool) error {
	if r.bad != nil {
		b.reject(line, r.bad.field, r.bad.reason, strings.Join(r.values, ","))
		return nil
	}
	if !yield(v) {
		return errStopped
	}
	return nil
}

// rosterColumns are the columns of roster/*.csv: the fields of a roster record in SPEC.md, without the
// photograph.
var rosterColumns = []string{"id", "name", "dob", "county", "booking_date", "release_date", "charges", "bond_amount", "status"}

// county returns the number of a row's county, by its display name. The row fails without one.
func (b *batch) county(r *row) int16 {
	c := b.Store.Counties().Find(r.text("county"))
	if c == nil {
		r.fail("county", "is not a county of Georgia")
		return 0
	}
	return c.ID
}

// bookings takes all files of roster/ over as one run.
func (x *importing) bookings(b *batch, files []string) (snapshot.Applied, error) {
	return x.Store.ImportBookings(b.ctx, b.reconciler(), rows(func(yield func(*snapshot.ImportedBooking) bool) error {
		for _, file := range files {
			err := b.table(file, rosterColumns, func(r *row, line int64) error {
				return keepOrStop(b, r, line, b.booking(r, line), yield)
			})
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// booking converts a row. The id is kept, because clients hold it. A juvenile is withheld by the rule of
// sources. A row of a released person without a time of release counts as released at the takeover, marked as
// inferred.
func (b *batch) booking(r *row, line int64) *snapshot.ImportedBooking {
	k := &snapshot.ImportedBooking{ID: r.need("id")}
	k.Line, k.SeenAt, k.Name, k.CountyID = line, b.now, r.need("name"), b.county(r)
	k.DOB = r.date("dob")
	if k.DOB != nil {
		k.BirthYear = int16(k.DOB.Year) //nolint:gosec // ParseDate keeps years below 10000
	}
	r.need("booking_date")
	if at := r.time("booking_date"); at != nil {
		k.BookedAt = *at
	}
	k.BondCents = r.cents("bond_amount")
	for c := range strings.SplitSeq(r.text("charges"), ";") {
		if c = strings.TrimSpace(c); c != "" {
			k.Charges = append(k.Charges, snapshot.Charge{Description: c})
		}
	}
	out := r.time("release_date")
	// status is released if and only if a release date is set (DECISIONS.md, "Dates, times"); a date of the
	// future is a planned release.
	switch status := r.oneOf("status", "booked", "released"); {
	case out != nil && out.After(b.now):
		k.PlannedRelease = out
	case out != nil && out.Before(k.BookedAt):
		r.fail("release_date", "lies before the booking")
	case out != nil:
		k.ReleasedAt = out
	case status == "released": // the day is not stated: the takeover is when it was seen
		k.ReleasedAt, k.ReleaseInferred = &k.SeenAt, true
	}
	if at, stated := r.columns["mugshot_url"]; stated && strings.TrimSpace(r.values[at]) != "" {
		b.LeftOut["mugshot_url: photographs are not taken over"]++
	}
	k.Withheld = mapping.Juvenile(k.DOB, k.BookedAt)
	r.dirty(clean.Imported(k))
	return k
}

// correctionsColumns are the columns of corrections.csv: the fields of a corrections record in SPEC.md.
var correctionsColumns = []string{"gdc_id", "name", "dob", "category", "institution", "sentence", "status", "release_date", "parole_end_date"}

// corrections takes corrections.csv over.
func (x *importing) corrections(b *batch, files []string) (snapshot.Applied, error) {
	today := models.DateOf(b.now.In(models.Georgia))
	applied, _, err := x.Store.ReconcileCorrections(b.ctx, b.reconciler(), rows(func(yield func(*snapshot.CorrectionsRow) bool) error {
		return b.table(files[0], correctionsColumns, func(r *row, line int64) error {
			k := &snapshot.CorrectionsRow{GDCID: r.need("gdc_id"), Name: r.need("name"), DOB: r.date("dob"), Line: line, SeenAt: b.now}
			if k.DOB != nil {
				k.BirthYear = int16(k.DOB.Year) //nolint:gosec // ParseDate keeps years below 10000
			}
			k.Category = r.oneOf("category", "offender", "parolee", "sex_offender")
			k.Categories = []string{k.Category}
			k.Status = r.oneOf("status", "incarcerated", "paroled", "released")
			k.Institution, k.Sentence = r.text("institution"), r.text("sentence")
			k.ReleaseDate, k.ParoleEnd = r.date("release_date"), r.date("parole_end_date")
			// SPEC.md has one field for both: of people inside, a date ahead is a projected one.
			k.ReleaseProjected = k.ReleaseDate != nil && k.Status == "incarcerated" && k.ReleaseDate.After(today)
			k.Withheld = mapping.Juvenile(k.DOB, b.now)
			r.dirty(clean.Corrections(k))
			return keepOrStop(b, r, line, k, yield)
		})
	}))
	return known(applied), err
}

// known counts what a takeover left as it was: rows whose record was there before.
func known(a snapshot.Applied) snapshot.Applied {
	a.Unchanged = a.Rows - a.New - a.Repeated - len(a.Rejected)
	return a
}

// links takes links.csv over, after the records at both ends.
func (x *importing) links(b *batch, files []string) (snapshot.Applied, error) {
	return x.Store.ImportLinks(b.ctx, b.now, rows(func(yield func(*snapshot.ImportedLink) bool) error {
		return b.table(files[0], []string{"roster_id", "gdc_id", "confidence", "mugshot_match"}, func(r *row, line int64) error {
			l := &snapshot.ImportedLink{RosterID: r.need("roster_id"), GDCID: r.need("gdc_id"), Line: line}
			l.Confidence = r.oneOf("confidence", "high", "medium", "low")
			l.MugshotMatch = slices.Contains([]string{"true", "t", "1", "yes"}, r.oneOf("mugshot_match", "true", "false", "t", "f", "1", "0", "yes", "no"))
			r.dirty(clean.Link(l))
			return keepOrStop(b, r, line, l, yield)
		})
	}))
}

// at returns the instant of a hearing's day and time in Georgia; without a time that of midnight.
func at(day models.Date, clock string) time.Time {
	hour, minute := 0, 0
	if t, err := time.Parse("15:04", clock); err == nil {
		hour, minute = t.Hour(), t.Minute()
	}
	return value.Civil(day.Year, day.Month, day.Day, hour, minute, 0, 0)
}
