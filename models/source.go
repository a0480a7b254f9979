package models

import (
	"time"

	"rollcall/internal/plural"
)

// SourceState says whether a source can be trusted to be current.
type SourceState string

// The states of FEEDS.md, guarantee 13.
const (
	SourceOK      SourceState = "ok"
	SourceLate    SourceState = "late"    // no success for two intervals, or no newer or no whole data for two of its own (files brought by hand: WholeEvery)
	SourceDown    SourceState = "down"    // the same for three, or never a success
	SourceHeld    SourceState = "held"    // shrank too far; waits for an operator
	SourceRefused SourceState = "refused" // a captcha or login wall
)

// Source is a feed and how fresh it is.
type Source struct {
	ID          string
	Parent      string // of a scope, one county of a source whose rows name theirs: that source
	Title       string
	Kind        string  // roster, courts or corrections
	County      *County // nil: the rows name it, or it is statewide
	Covers      []int16 // ids of the counties that its rows have named
	Enabled     bool
	Interval    time.Duration // zero: no schedule
	LastAttempt *time.Time
	LastSuccess *time.Time
	DataAt      *time.Time    // the newest instant that its data speaks of, by its own stamps where it has them
	DataEvery   time.Duration // how often it has newer data; zero: nobody knows
	WholeSince  *time.Time    // when its document first said that it lists everybody; nil: it does not
	CompleteAt  *time.Time    // of the newest snapshot that was proven complete; nil: none was, or it lists nobody whole
	HeldSince   *time.Time
	HeldRun     *int64 // the run whose snapshot began the hold; nil: an operator did, or it is not held
	RefusedAt   *time.Time
	RetiredAt   *time.Time // since when it reports no more, by an operator's word; nil: it goes on
	Imported    bool       // a takeover of another system's records, which is never read again
	NotBefore   *time.Time // it failed and is left alone until then
	Note        *string    // why it is held, refused or failing, for operators; PlainNote is for readers
	Ignored     bool       // an operator ignores every row that its last run could not take
	Scopes      []*Source  // of a source whose rows name their county: one a county; its state is theirs, too
	Retired     []*Source  // of these, those that an operator retired; they are none of Scopes
	worst       []*Source  // of the scopes, those whose state is worse than its own
	coverage    []*County
	state       SourceState
	own         SourceState // without its scopes
	sibling     *time.Time  // of a scope whose files are brought by hand: the newest data of any scope, against which its own is judged
	byHand      bool        // it is held by an operator's word, not for what it brought
	above       bool        // a scope whose source is held as a whole
	ended       bool        // a scope of a source that serves one county since
	lag         *int

	// Why it is late or down, of which several may be so.
	unread bool // it was not read well
	old    bool // what it says is old
	parts  bool // it sends parts of what it lists
}

// State is how current the source was when it was read.
func (s *Source) State() SourceState { return s.state }

// OwnState is State without the scopes: how current the source itself was read.
func (s *Source) OwnState() SourceState { return s.own }

// NextTry is about when it is asked next, one that refuses too; nil when no schedule does.
func (s *Source) NextTry(now time.Time) *time.Time {
	if !s.Enabled || s.Interval == 0 {
		return nil
	}
	next := now
	if s.LastAttempt != nil && s.LastAttempt.Add(s.Interval).After(next) {
		next = s.LastAttempt.Add(s.Interval)
	}
	if s.NotBefore != nil && s.NotBefore.After(next) {
		next = *s.NotBefore
	}
	return &next
}

// AsOf is how current its records can be: the last success, or the instant that its data speaks of where
// that is older. A host that sends the same old file for ever is not current. nil without a success.
func (s *Source) AsOf() *time.Time {
	if len(s.Scopes) > 0 {
		return s.oldest()
	}
	if s.LastSuccess != nil && s.DataAt != nil && s.DataAt.Before(*s.LastSuccess) {
		return s.DataAt
	}
	return s.LastSuccess
}

// BehindSince is since when it lacks something, as long as no run failed: since its last complete snapshot where it sends parts,
// else AsOf. A run that brings a part again does not move it.
func (s *Source) BehindSince() *time.Time {
	at := s.AsOf()
	if !s.parts {
		return at
	}
	whole := s.CompleteAt
	if whole == nil {
		whole = s.WholeSince
	}
	if at == nil || whole.Before(*at) {
		return whole
	}
	return at
}

// LagSeconds is the time since AsOf when the source was read; nil without a success.
func (s *Source) LagSeconds() *int { return s.lag }

// Coverage returns the counties that the rows of the source have named.
func (s *Source) Coverage() []*County { return s.coverage }

// Counties returns the counties that the source reports: its own, or those that its rows have named. None: it is statewide, or was
// never read.
func (s *Source) Counties() []*County {
	if s.County != nil {
		return []*County{s.County}
	}
	return s.coverage
}

// Assess sets coverage, and state and lag at the moment now.
func (s *Source) Assess(counties *Counties, now time.Time) {
	s.byHand = s.HeldSince != nil && s.HeldRun == nil && (!s.above || s.byHand)
	if s.CatchingUp() && s.Stopped() {
		s.Note = new(noteReleasedStopped)
	}
	s.coverage = counties.ofIDs(s.Covers)
	if at := s.AsOf(); at != nil {
		lag := max(0, int(now.Sub(*at)/time.Second))
		s.lag = &lag
	}
	s.own = s.assessOwn(now)
	s.state = s.own
	if len(s.Scopes) > 0 {
		s.assessScopes()
	}
}

// assessOwn judges the source without its scopes. Where it has some, each of them judges its data.
func (s *Source) assessOwn(now time.Time) SourceState {
	several := s.hasScopes()
	switch {
	case s.RetiredAt != nil:
		return SourceDown
	case s.RefusedAt != nil:
		return SourceRefused
	case s.HeldSince != nil:
		return SourceHeld
	case s.LastSuccess == nil:
		return SourceDown
	case several && !s.Enabled:
		return SourceOK
	case several:
		return s.assessAsked(now)
	case !s.Enabled: // it is not read by the clock, but what it reported is still shown, and files brought by hand are judged
		return staler(s.assessData(now), s.assessWhole(now))
	default:
		return staler(s.assessAsked(now), s.assessData(now), s.assessWhole(now))
	}
}

// hasScopes reports whether its data are those of its scopes, of which all may be retired.
func (s *Source) hasScopes() bool { return len(s.Scopes)+len(s.Retired) > 0 }

// assessAsked returns the state by when the schedule last reached the source. Without a schedule it is OK, and only the
// data count.
func (s *Source) assessAsked(now time.Time) SourceState {
	if s.Interval == 0 {
		return SourceOK
	}
	state := overdue(*s.LastSuccess, s.Interval, now)
	if s.unread = state != SourceOK; s.unread {
		s.because("its last good read was " + plural.Span(now.Sub(*s.LastSuccess)) + " ago; one is due every " + plural.Span(s.Interval))
	}
	return state
}

// assessData returns the state by how old the data are, and notes why the source is late if that is the only reason.
func (s *Source) assessData(now time.Time) SourceState {
	if s.DataAt == nil || s.DataEvery == 0 {
		return SourceOK
	}
	if s.sibling != nil {
		now = *s.sibling
	}
	state := overdue(*s.DataAt, s.DataEvery, now)
	s.old = state != SourceOK
	if s.old {
		why := "it answers, but its newest data is of "
		if !s.Enabled {
			why = noteStopped + "; its newest data is from "
		}
		s.because(why + s.dataStamp())
	}
	return state
}

// dataStamp writes the instant of the newest data, to the second where newer data is due within minutes.
func (s *Source) dataStamp() string {
	if s.DataEvery < 5*time.Minute {
		return s.DataAt.In(Georgia).Format("Jan 2, 2006, 3:04:05 PM")
	}
	return s.DataAt.In(Georgia).Format("Jan 2, 2006, 3:04 PM")
}

// because notes why the source is late or down, unless its last run said it. Rows in quarantine make no source late.
func (s *Source) because(why string) {
	if s.Note == nil || OnlyQuarantined(*s.Note) {
		s.Note = &why
	}
}

// WholeEvery is how often a source that lists everybody is expected to send a complete snapshot where its
// document does not say how often it has newer data: files brought by hand.
const WholeEvery = 24 * time.Hour

// OutageIntervals is after how many intervals without a success a source's next run is a baseline.
const OutageIntervals = 3

// assessWhole returns the state by whether releases are still read. A source that lists everybody and sends parts goes
// on reporting bookings, but nobody leaves its list. It is late, never down, for that. Of a source without a schedule
// only what it sent since its last complete snapshot can be judged, because a file may not be due yet.
func (s *Source) assessWhole(now time.Time) SourceState {
	every, since := s.DataEvery, s.CompleteAt
	if every == 0 {
		every = WholeEvery
	}
	asked := s.Enabled && s.DataEvery > 0
	switch {
	case since == nil && s.WholeSince == nil, since != nil && !asked && (s.DataAt == nil || !s.DataAt.After(*since)):
		return SourceOK
	case since == nil:
		since = s.WholeSince
	}
	if overdue(*since, every, now) == SourceOK {
		return SourceOK
	}
	s.parts = true
	why := "no snapshot of it was complete yet"
	if s.CompleteAt != nil {
		why = "its last complete snapshot is of " + s.CompleteAt.In(Georgia).Format("Jan 2, 2006, 3:04 PM MST")
	}
	s.because(why)
	return SourceLate
}

// overdue is the state of what should come every interval and came last at that time.
func overdue(at time.Time, every time.Duration, now time.Time) SourceState {
	switch age := now.Sub(at); {
	case age < 2*every:
		return SourceOK
	case age < 3*every:
		return SourceLate
	default:
		return SourceDown
	}
}

// staler is the worst of several states.
func staler(states ...SourceState) SourceState {
	worst := SourceOK
	for _, s := range states {
		if s == SourceDown || s == SourceLate && worst == SourceOK {
			worst = s
		}
	}
	return worst
}

// DayLate says that what is known of the source is a day old or may lag otherwise: clerk offices
// have up to 24 hours (SPEC.md, "Limits").
func (s *Source) DayLate() bool {
	return s.state != SourceOK || s.lag == nil || *s.lag > int(24*time.Hour/time.Second)
}

// Used says that the source is enabled or has ever run; others are only known by name.
func (s *Source) Used() bool { return s.Enabled || s.LastAttempt != nil }
