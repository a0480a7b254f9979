package models

import (
	"slices"
	"time"
)

// Freshness is how current an answer can be.
type Freshness struct {
	// AsOf is the oldest Source.AsOf among the sources that can still change the answer; nil when none ever succeeded.
	AsOf *time.Time
	// Stale are slugs of counties whose source is late, down, held or refused, or that have none; "*": statewide. Never nil.
	Stale []string
}

// FreshnessOf returns the freshness of an answer of a family, by the sources that it comes from. only narrows it to a
// county; nil: all. A takeover and a retired source change nothing any more, so AsOf waits for neither; a county that has no
// other source is stale. AsOf waits for a source that is read by hand only where no enabled one reports.
func FreshnessOf(sources []*Source, f Family, counties *Counties, only *County) Freshness {
	a := &answering{counties: counties, only: only, stale: map[string]bool{}}
	for _, s := range sources {
		if s.Kind == string(f) && s.Used() && !s.hasScopes() && !s.ended && s.feeds(only) {
			a.all = append(a.all, s)
		}
	}
	fed, enabled := only == nil, slices.ContainsFunc(a.all, func(s *Source) bool { return s.Enabled && s.live() })
	out := Freshness{Stale: []string{}}
	for _, src := range a.all {
		if !src.live() {
			a.left(src)
			continue
		}
		fed = true
		if at := src.AsOf(); at != nil && src.Enabled == enabled && (out.AsOf == nil || at.Before(*out.AsOf)) {
			out.AsOf = at
		}
		if src.state != SourceOK {
			src.staleCounties(counties, only, a.stale)
		}
	}
	if !fed { // no source reports on the county: its empty list is no answer
		a.stale[only.Slug] = true
	}
	for _, c := range counties.All() {
		if a.stale[c.Slug] {
			out.Stale = append(out.Stale, c.Slug)
		}
	}
	if a.stale["*"] {
		out.Stale = append(out.Stale, "*")
	}
	return out
}

// Sources are the sources as they were at one moment. The moment has to be before the records are read that it labels: a
// run that is committed in between would count as part of an answer without its changes.
type Sources struct {
	All      []*Source
	Counties *Counties
}

// Freshness returns the freshness of an answer of a family. county, a slug, narrows it; nil or empty is all. An unknown slug
// is an Error.
func (s Sources) Freshness(f Family, county *string) (Freshness, error) {
	var only *County
	if county != nil && *county != "" {
		var err error
		if only, err = s.Counties.BySlug(*county); err != nil {
			return Freshness{}, err
		}
	}
	return FreshnessOf(s.All, f, s.Counties, only), nil
}

// answering is the sources that an answer comes from.
type answering struct {
	counties *Counties
	only     *County
	all      []*Source
	stale    map[string]bool
}

// left notes the counties on which nobody reports but a source that changes nothing any more.
func (a *answering) left(src *Source) {
	if a.only != nil {
		return // whether another one reports on it is seen where it is asked for
	}
	of := src.Covers
	if src.County != nil {
		of = []int16{src.County.ID}
	}
	for _, id := range of {
		c := a.counties.ByID(id)
		if !slices.ContainsFunc(a.all, func(o *Source) bool { return o.live() && o.feeds(c) }) {
			a.stale[c.Slug] = true
		}
	}
}

// live reports whether the source can still change what is known.
func (s *Source) live() bool { return s.RetiredAt == nil && !s.Imported }

// feeds reports whether the source has records of that county; nil stands for all.
func (s *Source) feeds(c *County) bool {
	if c == nil || s.County == c {
		return true
	}
	if s.County != nil {
		return false
	}
	return len(s.Covers) == 0 || slices.Contains(s.Covers, c.ID)
}

func (s *Source) staleCounties(all *Counties, only *County, stale map[string]bool) {
	switch {
	case only != nil:
		stale[only.Slug] = true
	case s.County != nil:
		stale[s.County.Slug] = true
	case len(s.Covers) == 0:
		stale["*"] = true
	}
	if only == nil && s.County == nil {
		for _, id := range s.Covers {
			stale[all.ByID(id).Slug] = true
		}
	}
}
