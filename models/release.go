package models

import "time"

// ReleaseBasis is how a release is known. Pages and mails never tell one that nobody reported as a fact.
type ReleaseBasis string

// The bases of releases, from a fact to a guess.
const (
	ReleaseReported ReleaseBasis = "reported" // the jail stated it, with its time
	ReleaseUntimed  ReleaseBasis = "untimed"  // the jail stated it without a time: the time is when it was seen
	ReleaseAbsent   ReleaseBasis = "absent"   // the jail no longer lists the person: nobody stated a release
)

// Release is a release with its basis.
type Release struct {
	At    time.Time
	Basis ReleaseBasis
}

// Absent reports whether nobody stated the release: the jail only no longer lists the person. Without a release it does not.
func (r *Release) Absent() bool { return r != nil && r.Basis == ReleaseAbsent }

// releaseOf returns a release as it is stored; nil: there is none.
func releaseOf(at *time.Time, inferred, absent bool) *Release {
	switch {
	case at == nil:
		return nil
	case inferred && absent:
		return &Release{*at, ReleaseAbsent}
	case inferred:
		return &Release{*at, ReleaseUntimed}
	}
	return &Release{*at, ReleaseReported}
}

// Release returns the release of a payload at this instant; nil: it has none.
func (d *QueuedDelivery) Release(at *time.Time) *Release {
	return releaseOf(at, d.ReleaseInferred, d.ReleaseAbsent)
}

// basis returns the basis of a release; nil: there is none.
func (r *Release) basis() *ReleaseBasis {
	if r == nil {
		return nil
	}
	return &r.Basis
}

// Release is the booking's release; nil while the person is in custody.
func (b *Booking) Release() *Release {
	return releaseOf(b.ReleaseDate, b.ReleaseInferred, b.ReleaseAbsent)
}

// ReleaseBasis is how it is known; nil while the person is in custody.
func (b *Booking) ReleaseBasis() *ReleaseBasis { return b.Release().basis() }

// Release is the release as it was known at the event; nil while the person was in custody.
func (f *EventFacts) Release() *Release {
	return releaseOf(f.ReleaseDate, f.ReleaseInferred, f.ReleaseAbsent)
}

// ReleaseBasis is how it was known; nil while the person was in custody.
func (f *EventFacts) ReleaseBasis() *ReleaseBasis { return f.Release().basis() }
