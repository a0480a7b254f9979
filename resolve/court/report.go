// Package court decides what a court case is from the claims attached to it. It is the family of package
// resolve whose rows come in parts: a row may report the case, one hearing, or that a hearing was taken back,
// and parts arrive in any order. So each fact and each part of a Report keeps the moment of the row that
// reported it. Tell folds a row into a claim, Resolve resolves the claims of a case into its State, and Diff
// lists what changed. Like package resolve it is pure: no SQL, no clock, no input or output.
package court

import (
	"time"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Moment is when a row spoke. The zero Moment is never.
type Moment struct {
	// At is the instant of the row's snapshot, as the database keeps it.
	At time.Time `json:"at,omitzero"`
	// Line is the row's place among those of its instant: that of its file, and in it the line. Of rows of one instant the
	// later one counts.
	Line int64 `json:"line,omitempty"`
}

// After reports whether m is later than n.
func (m Moment) After(n Moment) bool {
	return m.At.After(n.At) || m.At.Equal(n.At) && m.Line > n.Line
}

// Report is what one source reports of one party of a case: the facts of a court claim. Each part knows the moment of the
// row that reported it, so rows may arrive in any order. It is stored as JSON, which only Go reads; the names of its members
// are those of stored claims and do not change.
type Report struct {
	// Key names the case and the party. The party "*" stands for what is said of every party of the case.
	Key snapshot.CaseKey `json:"key"`
	// At is the moment of the newest row of the case itself; zero: only parts are known.
	At Moment `json:"at"`
	// Seen is the moment of the newest row of any kind.
	Seen Moment `json:"seen"`

	Defendant  string      `json:"defendant,omitempty"`  // as the court writes the name
	DOB        models.Date `json:"dob,omitzero"`         // zero: not stated
	BirthYear  int16       `json:"birth_year,omitempty"` // 0: not stated; set whenever DOB is
	BookingKey string      `json:"booking,omitempty"`    // the number of the booking as the court writes it, or empty
	// Offense is what the case itself names; empty: its charges name it.
	Offense     string      `json:"offense,omitempty"`
	Filed       models.Date `json:"filed,omitzero"`        // zero: not stated
	BailCents   int64       `json:"bail,omitempty"`        // 0: none is set, or none was reported
	Status      string      `json:"status,omitempty"`      // pending, closed, warrant, unknown
	StatusText  string      `json:"status_text,omitempty"` // as the court writes it, when unknown
	Judge       string      `json:"judge,omitempty"`       // of the case itself, or empty
	HearingLink string      `json:"link,omitempty"`        // of the case itself, or empty
	// Reported has the moments of facts that were not reported by the newest row of the case, by field; zero: never reported.
	Reported map[string]Moment `json:"reported,omitempty"`

	Charges      List[snapshot.CaseCharge]       `json:"charges,omitzero"`      // with those that were taken back
	Hearings     List[snapshot.HearingFacts]     `json:"hearings,omitzero"`     // likewise
	Dispositions List[snapshot.DispositionFacts] `json:"dispositions,omitzero"` // likewise
}

// Claim is what one source reports of one party of a case.
type Claim = resolve.Claim[Report]

// EveryParty stands for the party in the key of a claim that is of all parties of a case: a court that takes a hearing back or
// names a judge may name no party.
const EveryParty = "*"

// Pending reports whether no row of the case itself is known yet, so that the parts have nothing to belong to.
func (r *Report) Pending() bool { return r.At == Moment{} }

// Refresh notes that the source repeated its newest row at a later instant, without a change. What that row reported is as
// new as its repetition, so that a late row in between takes nothing back. An instant that is not later changes nothing.
func (r *Report) Refresh(at time.Time) {
	at = resolve.Instant(at)
	was := r.Seen
	if !at.After(was.At) {
		return
	}
	renew := func(m *Moment) {
		if m.At.Equal(was.At) {
			m.At = at
		}
	}
	r.renew(renew)
}

// renew passes the moments of rows to a function that may move them (Refresh, Heal).
func (r *Report) renew(renew func(*Moment)) {
	for _, m := range []*Moment{&r.At, &r.Seen, &r.Charges.All, &r.Hearings.All, &r.Dispositions.All} {
		renew(m)
	}
	for field, m := range r.Reported {
		renew(&m)
		r.Reported[field] = m
	}
	r.Charges.renew(renew)
	r.Hearings.renew(renew)
	r.Dispositions.renew(renew)
}

// Heal moves instants of the future, as resolve.Head.Heal does.
func (r *Report) Heal(to func(time.Time) time.Time) {
	r.renew(func(m *Moment) { m.At = to(m.At) })
	r.Charges.heal(to)
	r.Hearings.heal(to)
	r.Dispositions.heal(to)
}

// The names of a case's facts, as its history and Since have them.
const (
	caseDefendant  = "defendant"
	caseDOB        = "dob"
	caseYear       = "birth_year"
	caseBooking    = "booking_key"
	caseOffense    = "offense"
	caseFiled      = "filed_date"
	caseInferred   = "filed_inferred"
	caseBail       = "bail_cents"
	caseStatus     = "status"
	caseStatusText = "status_text"
	caseJudge      = "judge"
	caseLink       = "hearing_link"
	caseCharges    = "charges"
	caseDisposed   = "dispositions"
)

// unknownCase is the status of a case whose court writes one that the source document does not map.
const unknownCase = string(models.UnknownCase)
