package search

import (
	"slices"
	"strings"

	"rollcall/match"
	"rollcall/models"
	"rollcall/web/words"
)

// countyWord stands behind the name of a county.
const countyWord = " county"

// countyTyped returns the county whose name was typed: with the word County, or alone where nothing is found, as it may be a surname.
func countyTyped(all []*models.County, a *asked, found bool) *models.County {
	if a.more != "" {
		return nil
	}
	typed := match.SearchKey(a.Typed)
	name, whole := strings.CutSuffix(typed, countyWord)
	if !whole && found {
		return nil
	}
	i := slices.IndexFunc(all, func(c *models.County) bool { return match.SearchKey(c.Name) == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

// CountySays says what the page of the county has whose name was typed.
func (f *found) CountySays() words.Text {
	if !f.CountyCovered {
		return words.T("{1} County (jail not covered)", f.County.Name)
	}
	return words.T("{1} County: its jail and who is held", f.County.Name)
}

// inCounty is the search for a name in the county that was typed behind it.
type inCounty struct {
	Path, Name, County string
}

// inCountyOf reads "john smith bibb" as a name and a county; nil: the search has a county already, or no name of one at its end. Some
// counties are called as people are, so one word before it is a name only where nothing was found.
func inCountyOf(all []*models.County, a *asked, found bool) *inCounty {
	if a.County != "" || a.Name == "" || a.Number != "" || a.more != "" {
		return nil
	}
	fields := strings.Fields(a.Name)
	least := 2
	if len(fields) > 2 && strings.EqualFold(fields[len(fields)-1], "county") {
		fields, least = fields[:len(fields)-1], 1
	}
	if !found {
		least = 1
	}
	for long := min(2, len(fields)-least); long > 0; long-- {
		name, at := fields[:len(fields)-long], match.SearchKey(strings.Join(fields[len(fields)-long:], " "))
		i := slices.IndexFunc(all, func(c *models.County) bool { return match.SearchKey(c.Name) == at })
		if i < 0 {
			continue
		}
		typed := strings.TrimRight(strings.Join(name, " "), ",")
		birth := birth{a.Born, a.Day}.String()
		return &inCounty{
			Path: a.with("q", strings.TrimSpace(typed+" "+birth), "county", all[i].Slug), Name: typed, County: all[i].Name,
		}
	}
	return nil
}

// Says returns the words of the link.
func (i inCounty) Says() words.Text {
	return words.T("Search “{1}” in {2} County", i.Name, i.County)
}
