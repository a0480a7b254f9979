package models

import (
	"fmt"
	"strings"
	"time"
)

// A scope is what completeness, guards, freshness and holds are asked of: a source, or one county of a source whose rows name
// theirs. The latter is stored as a source of its own, whose id is that of its source and the county's slug.

// ScopeID is the id of the scope of a county.
func ScopeID(source, county string) string { return source + ":" + county }

// SplitScope returns the source of a scope, and the slug of its county; that is empty where the id is a source's.
func SplitScope(id string) (source, county string) {
	source, county, _ = strings.Cut(id, ":")
	return source, county
}

// quietDay is how often, at least, a scope of a source that reports only changes is expected to report one.
const quietDay = 24 * time.Hour

// AssessAll assesses sources together with their scopes, at the moment now.
func AssessAll(all []*Source, counties *Counties, now time.Time) {
	byID := make(map[string]*Source, len(all))
	for _, s := range all {
		byID[s.ID] = s
	}
	for _, s := range all {
		p := byID[s.Parent]
		if p == nil {
			continue
		}
		s.follow(p)
		switch s.ended = p.County != nil; {
		case s.ended:
		case s.RetiredAt != nil:
			p.Retired = append(p.Retired, s)
		default:
			p.Scopes = append(p.Scopes, s)
			p.Covers = append(p.Covers, s.County.ID)
		}
		s.Assess(counties, now)
	}
	for _, s := range all {
		if byID[s.Parent] == nil {
			s.Assess(counties, now)
		}
	}
}

// follow sets what a scope shares with its source: who is asked by which schedule, and a hold of all of it.
func (s *Source) follow(p *Source) {
	s.Enabled, s.Interval, s.NotBefore, s.LastAttempt, s.RefusedAt = p.Enabled, p.Interval, p.NotBefore, p.LastAttempt, p.RefusedAt
	if s.above = p.HeldSince != nil; s.above && s.HeldSince == nil {
		s.HeldSince, s.Note, s.byHand = p.HeldSince, p.Note, p.HeldRun == nil
	}
	if s.RefusedAt != nil {
		s.Note = p.Note
	}
	if s.HeldSince == nil && s.LastSuccess != nil && p.LastSuccess != nil && p.LastSuccess.After(*s.LastSuccess) {
		s.LastSuccess = p.LastSuccess // it was read, whatever it says of the county
	}
	if s.DataEvery == 0 {
		s.DataEvery, s.sibling = quietDay, p.DataAt
	}
	if s.WholeSince == nil { // it need not name each county in each file
		s.Interval, s.DataEvery = quiet(s.Interval), quiet(s.DataEvery)
	}
}

// HeldAbove reports whether the source of a scope is held as a whole. Nothing of the scope can be released before that ends.
func (s *Source) HeldAbove() bool { return s.above }

func quiet(every time.Duration) time.Duration {
	if every == 0 {
		return 0
	}
	return max(every, quietDay)
}

// worse ranks states, the one first that most needs somebody.
var worse = map[SourceState]int{SourceOK: 0, SourceLate: 1, SourceDown: 2, SourceRefused: 3, SourceHeld: 4}

// assessScopes sets the state of a source to the worst of its own reading and of its scopes, and names those that are in it.
func (s *Source) assessScopes() {
	for _, scope := range s.Scopes {
		if worse[scope.state] > worse[s.state] {
			s.state = scope.state
		}
	}
	if s.state == s.own {
		if s.Note != nil && strings.HasPrefix(*s.Note, string(SourceHeld)+": ") { // of its last run: none is held any more
			s.Note = nil
		}
		return
	}
	for _, scope := range s.Scopes {
		if scope.state == s.state {
			s.worst = append(s.worst, scope)
		}
	}
	note := string(s.state) + ": " + s.worstNames()
	s.Note = &note
}

// worstNames are the counties of the scopes whose state is worse than that of the source itself.
func (s *Source) worstNames() string {
	names := make([]string, len(s.worst))
	for i, scope := range s.worst {
		names[i] = scope.County.Name
	}
	return strings.Join(names, ", ")
}

// scopesNote says for readers which counties are not to be trusted to be current, and why the first of them is not; empty: none.
func (s *Source) scopesNote() string {
	if len(s.worst) == 0 {
		return ""
	}
	why := s.worst[0].PlainNote()
	if why == nil {
		return ""
	}
	return s.worstNames() + ": " + *why
}

// oldest is the oldest AsOf of the scopes; nil when one never succeeded.
func (s *Source) oldest() (at *time.Time) {
	for _, scope := range s.Scopes {
		of := scope.AsOf()
		if of == nil {
			return nil
		}
		if at == nil || of.Before(*at) {
			at = of
		}
	}
	return at
}

// Held lists what a release of the source may mean: the source itself, and its scopes, as far as they are held.
func (s *Source) Held() (held []*Source) {
	if s.HeldSince != nil {
		held = append(held, s)
	}
	for _, scope := range s.Scopes {
		if scope.HeldRun != nil || scope.HeldSince != nil && s.HeldSince == nil {
			held = append(held, scope)
		}
	}
	return held
}

// NoSource says that an id is no source's.
func NoSource(id string) error {
	return NotFoundAs(ErrNoSource, fmt.Sprintf("there is no source %.60q", id))
}

// NotHeld says that there is nothing to release of a source.
func NotHeld(id string) error {
	return Invalid("id", "source "+id+" is not on hold, so there is nothing to release; nothing was changed")
}
