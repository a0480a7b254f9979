package review

import (
	"strings"

	"rollcall/models"
	"rollcall/web/page"
)

// mergesShown is how many merges the page shows.
const mergesShown = 100

// mergesBody is what the page of merges shows.
type mergesBody struct {
	Merges []models.MergeInForce
	Total  int

	// Record of a form that was refused, and what was written in it.
	Asked, Note string
}

// Page returns where the record that stayed is read.
func (b *mergesBody) Page(m models.MergeInForce) string {
	return map[models.Family]string{models.Roster: "/roster/", models.Courts: "/cases/", models.Corrections: "/corrections/"}[m.Family] + m.Kept
}

// showMerges shows the merges in force, newest first, and data's message.
func (s Site) showMerges(v *page.Visit, b mergesBody, data page.View) (err error) {
	if b.Merges, b.Total, err = s.Store.Merges(v.R.Context(), mergesShown); err != nil {
		return err
	}
	data.Title, data.Script, data.At, data.Body = "Merges", "settings", "/operator/merges", &b
	return s.Pages.Page(v, "merges", data)
}

// unmerge takes a merge back, on the grounds that the form states. Claims return to the records
// that they came from, and both are resolved anew (CLAIMS.md).
func (s Site) unmerge(v *page.Visit) error {
	family, id, note := models.Family(v.R.PostFormValue("family")), v.R.PostFormValue("record"), strings.TrimSpace(v.R.PostFormValue("note"))
	err := error(models.Invalid("note", "write a reason: later readers rely on it"))
	if note != "" {
		err = s.Store.Unmerge(v.R.Context(), family, id, v.User.Email, note)
	}
	switch code := models.CodeOf(err); {
	case err == nil:
		if err := s.Pages.Trail(v, "merge undone", string(family)); err != nil {
			return err
		}
		return page.Redirect(v.W, v.R, "/operator/merges?done=unmerged")
	case page.Mendable(err) || code == models.CodeNotFound:
		var data page.View
		data.Failed(err)
		if code != models.CodeInvalidParameter {
			data.Status = page.StatusOf(code)
		}
		return s.showMerges(v, mergesBody{Asked: id, Note: note}, data)
	default:
		return err
	}
}
