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

// Moment is when a row spoke: the instant of its snapshot, and of rows of one instant their place in the
// document, as a later line counts.
type Moment struct {
	At   time.Time `json:"at,omitzero"`
	Line int64     `json:"line,omitempty"`
}

// After reports whether m is later than n.
func (m Moment) After(n Moment) bool {
	return m.At.After(n.At) || m.At.Equal(n.At) && m.Line > n.Line
}

// Report is what one source reports of one party of a case: the facts of a court claim. Each part
// knows the moment of the row that reported it, so rows may arrive in any order.
type Report struct {
	Key  snapshot.CaseKey `json:"key"` // party "*" holds removals for every party of the case
	At   Moment           `json:"at"`  // of the newest row of the case itself; zero: only parts are known
	Seen Moment           `json:"seen"`

	Defendant   string      `json:"defendant,omitempty"`
	DOB         models.Date `json:"dob,omitzero"`
	BirthYear   int16       `json:"birth_year,omitempty"`
	BookingKey  string      `json:"booking,omitempty"`
	Offense     string      `json:"offense,omitempty"` // empty: the charges name it
	Filed       models.Date `json:"filed,omitzero"`
	Status      string      `json:"status,omitempty"`
	StatusText  string      `json:"status_text,omitempty"`
	Judge       string      `json:"judge,omitempty"`
	HearingLink string      `json:"link,omitempty"`
	// Told has the moments of facts that were not reported by the newest row of the case.
	Told map[string]Moment `json:"told,omitempty"`

	Charges      List[snapshot.CaseCharge]       `json:"charges,omitzero"`
	Hearings     List[snapshot.HearingFacts]     `json:"hearings,omitzero"`
	Dispositions List[snapshot.DispositionFacts] `json:"dispositions,omitzero"`
}

// Claim is what one source reports of one party of a case.
type Claim = resolve.Claim[Report]

// EveryParty stands for the party in the key of a claim that holds removals for all parties of a case.
const EveryParty = "*"

// Pending reports whether no row of the case itself is known yet, so that the parts have nothing to belong to.
func (r *Report) Pending() bool { return r.At == Moment{} }

// Newest is the instant of the newest row folded in.
func (r *Report) Newest() time.Time { return r.Seen.At }

// Refresh notes that the source repeated its newest row at a later instant, without a change. What that row
// reported is as new as its repetition, so that a late row in between takes nothing back.
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
	for _, m := range []*Moment{&r.At, &r.Seen, &r.Charges.All, &r.Hearings.All, &r.Dispositions.All} {
		renew(m)
	}
	for field, m := range r.Told {
		renew(&m)
		r.Told[field] = m
	}
	r.Charges.renew(renew)
	r.Hearings.renew(renew)
	r.Dispositions.renew(renew)
}

// The names of a case's facts, as its history and Since have them.
const (
	caseDefendant  = "defendant"
	caseDOB        = "dob"
	caseYear       = "birth_year"
	caseBooking    = "booking_key"
	caseOffense    = "offense"
	caseFiled      = "filed_date"
	caseStatus     = "status"
	caseStatusText = "status_text"
	caseJudge      = "judge"
	caseLink       = "hearing_link"
	caseCharges    = "charges"
	caseDisposed   = "dispositions"
)

// unknownCase is the status of a case whose court writes one that nobody can read.
const unknownCase = string(models.UnknownCase)
