package search

import (
	"net/url"
	"strings"

	"rollcall/models"
	"rollcall/web/page"
)

// saveSearch saves the search that the page shows for the person who is signed in.
func (s Site) saveSearch(v *page.Visit) error {
	q, err := url.ParseQuery(strings.TrimPrefix(v.R.PostFormValue("query"), "?"))
	if err != nil {
		return models.Invalid("query", "this is not a search; search for something first")
	}
	kept := url.Values{}
	for _, name := range parameters {
		if value := strings.TrimSpace(q.Get(name)); value != "" {
			if err := models.PlainText(name, value); err != nil {
				return err
			}
			kept.Set(name, value)
		}
	}
	if err := models.PlainText("name", v.R.PostFormValue("name")); err != nil {
		return err
	}
	if err := s.Store.SaveSearch(v.R.Context(), v.User.ID, v.R.PostFormValue("name"), kept.Encode()); err != nil {
		return err
	}
	kept.Set("done", "search-saved")
	return page.Redirect(v.W, v.R, "/search?"+kept.Encode())
}

// deleteSearch deletes a saved search of the person who is signed in.
func (s Site) deleteSearch(v *page.Visit) error {
	if err := s.Store.DeleteSavedSearch(v.R.Context(), v.User.ID, v.Param("id")); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/search?done=search-deleted")
}
