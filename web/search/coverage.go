package search

import (
	"slices"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/words"
)

// lack is a note about what results do not say: a county that nobody reads, or sources that are not current.
type lack struct {
	// Uncovered is the name of the county that nobody reads; empty: it is another note.
	Uncovered string
	// County is the one whose source is not current; empty: States are those of several counties.
	County words.Text
	States []sourceState
}

// Uncovered reports whether the county that was chosen is read by nobody.
func (f *found) Uncovered() bool {
	return slices.ContainsFunc(f.Lacks, func(l lack) bool { return l.Uncovered != "" })
}

// sourceState is how current a source is.
type sourceState struct {
	// Place is what it covers.
	Place string
	Word  words.Text
	// At is as of when its data are, Now the time of the page, Never means that it was never read, and Recent that it is less than a minute ago.
	At, Now       time.Time
	Never, Recent bool
}

// lacking returns what the results of a search do not say. Only of jails it is known who is held there now.
func lacking(a *asked, sources models.Sources, now time.Time) []lack {
	if a.numberOnly() || a.more != "" || !a.has(ofJails) {
		return nil
	}
	jails := jailsOf(sources)
	if a.County == "" {
		return behind(jails, now)
	}
	c, err := sources.Counties.BySlug(a.County)
	if err != nil {
		return nil
	}
	own := ofCounty(jails, c)
	if len(own) == 0 {
		return []lack{{Uncovered: c.Name}}
	}
	var out []lack
	for _, s := range own {
		if s.State() != models.SourceOK {
			out = append(out, lack{County: words.T("{1} County", c.Name), States: []sourceState{stateOf(s, now)}})
		}
	}
	return out
}

// jailsOf returns the sources that report jails.
func jailsOf(sources models.Sources) []*models.Source {
	return slices.DeleteFunc(slices.Clone(sources.All), func(s *models.Source) bool {
		return s.Kind != string(models.Roster) || !s.Used() || s.RetiredAt != nil
	})
}

// ofCounty returns those of the sources that report a county.
func ofCounty(jails []*models.Source, c *models.County) []*models.Source {
	return slices.DeleteFunc(jails, func(s *models.Source) bool { return !slices.Contains(s.Counties(), c) })
}

// behind notes all sources that are not current.
func behind(jails []*models.Source, now time.Time) []lack {
	var all lack
	for _, s := range jails {
		if s.State() != models.SourceOK {
			all.States = append(all.States, stateOf(s, now))
		}
	}
	if len(all.States) == 0 {
		return nil
	}
	return []lack{all}
}

func stateOf(s *models.Source, now time.Time) sourceState {
	var names []string
	for _, c := range s.Counties() {
		names = append(names, c.Name)
	}
	out := sourceState{Place: strings.Join(names, ", "), Word: fact.Current(s.Shown()).Word, Now: now}
	if out.Place == "" {
		out.Place = s.Title
	}
	switch at, lag := s.AsOf(), s.LagSeconds(); {
	case at == nil || lag == nil:
		out.Never = true
	case *lag < int(time.Minute/time.Second):
		out.Recent = true
	default:
		out.At = *at
	}
	return out
}
