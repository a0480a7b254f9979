package web

import (
	_ "embed"
	"strings"

	"rollcall/models"
	"rollcall/models/source"
	"rollcall/web/page"
	"rollcall/web/words"
)

//go:embed georgia.txt
var georgia string

// outlines are the SVG paths of the counties, by FIPS code.
var outlines = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(georgia) {
		if fips, path, ok := strings.Cut(strings.TrimSpace(line), " "); ok && fips != "#" {
			out[fips] = path
		}
	}
	return out
}()

// mapped is a county on the map of coverage.
type mapped struct {
	*models.County
	// Outline is the county's SVG path.
	Outline string
	// State is current, late or none: whether its jail is covered, and how well.
	State string
}

// Says is the state in words.
func (m mapped) Says() words.Text {
	switch m.State {
	case "current":
		return words.T("covered")
	case "late":
		return words.T("covered, not current")
	}
	return words.T("not covered")
}

// coverage returns all counties by name, with whether their jails are covered. A county is late when one of its sources is behind.
func (s *Site) coverage(v *page.Visit, behind []*models.Source) ([]mapped, error) {
	covered, err := s.Store.CoveredJails(v.R.Context())
	if err != nil {
		return nil, err
	}
	late := source.Covered{}
	for _, src := range behind {
		for _, c := range src.Counties() {
			late[c.ID] = true
		}
	}
	counties := s.Store.Counties().All()
	out := make([]mapped, len(counties))
	for i, c := range counties {
		out[i] = mapped{c, outlines[c.FIPS], "none"}
		switch {
		case covered[c.ID] && late[c.ID]:
			out[i].State = "late"
		case covered[c.ID]:
			out[i].State = "current"
		}
	}
	return out, nil
}
