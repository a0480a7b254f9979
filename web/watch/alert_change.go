package watch

import (
	"errors"
	"net/http"

	"rollcall/models"
	"rollcall/web/page"
)

// ofAlert returns the watcher that an address names. It must be of the visitor's account, else
// it is not found.
func (s Site) ofAlert(v *page.Visit) (*models.Watcher, error) {
	return s.Store.Watcher(v.R.Context(), v.Account.ID, v.Param("id"))
}

// changeAlert saves the form, unless the alert was changed since the page was opened: two people must not undo each other's changes
// unseen.
func (s Site) changeAlert(v *page.Visit) error {
	w, err := s.ofAlert(v)
	if err != nil {
		return err
	}
	f := readAlertForm(v.R.PostForm) //nolint:forbidigo // lists of values
	c, err := f.change(w)
	if err == nil {
		err = s.update(v, w, c, "alert changed")
	}
	switch {
	case err == nil:
		return page.Redirect(v.W, v.R, "/alerts/"+w.ID+"?done=alert-changed")
	case errors.Is(err, models.ErrChanged):
		return s.showBoth(v, &f)
	case refused(err) == 0:
		return err
	}
	data := page.View{Status: refused(err)}
	data.Failed(err)
	data.Field = fieldOf(err)
	f.Wrong = data.Field == "events"
	return s.alertPage(v, &alertBody{Watcher: w, Form: f, Open: true}, data)
}

// showBoth shows an alert that was changed since the form was opened: as it is now, and as it was to be saved. Saving again replaces the
// first by the second.
func (s Site) showBoth(v *page.Visit, f *alertForm) error {
	w, err := s.ofAlert(v)
	if err != nil {
		return err
	}
	f.Seen = w.Version()
	data := page.View{Status: http.StatusConflict}
	data.Failed(models.ErrChanged)
	return s.alertPage(v, &alertBody{Watcher: w, Form: *f, Open: true, Other: true}, data)
}

// update changes an alert, and writes the line in the trail that the API writes.
func (s Site) update(v *page.Visit, w *models.Watcher, c models.WatcherChange, action string) error {
	c.By = models.Actor{UserID: v.User.ID}
	now, err := s.Store.UpdateWatcher(v.R.Context(), v.Account.ID, w.ID, c)
	if err != nil {
		return err
	}
	return s.Trail(v, action, now.Name+" ("+now.ID+")")
}

// pauseAlert pauses an alert. What it found stays. Accounts without the plan have the list alone, which the way back leads to.
func (s Site) pauseAlert(v *page.Visit) error {
	w, err := s.ofAlert(v)
	if err != nil {
		return err
	}
	if err := s.update(v, w, models.WatcherChange{Paused: new(true)}, "alert paused"); err != nil {
		return err
	}
	to := "/alerts"
	if v.Account.Entitled() {
		to += "/" + w.ID
	}
	return page.Redirect(v.W, v.R, to+"?done=alert-paused")
}

// resumeAlert ends the pause of an alert.
func (s Site) resumeAlert(v *page.Visit) error {
	w, err := s.ofAlert(v)
	if err != nil {
		return err
	}
	if err := s.update(v, w, models.WatcherChange{Paused: new(false)}, "alert resumed"); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/alerts/"+w.ID+"?done=alert-resumed")
}

// widenAlert lets an alert look at all of Georgia, as one does whose county is not covered.
func (s Site) widenAlert(v *page.Visit) error {
	w, err := s.ofAlert(v)
	if err != nil {
		return err
	}
	seen := v.R.PostFormValue("seen")
	err = s.update(v, w, models.WatcherChange{County: models.Fact[string]{Given: true}, Seen: &seen}, "alert changed")
	if err == nil {
		to := "/alerts/" + w.ID
		if w.County != nil {
			to += "?widened=" + w.County.Slug
		}
		return page.Redirect(v.W, v.R, to)
	}
	data := page.View{Status: refused(err)}
	if data.Status == 0 {
		return err
	}
	data.Failed(err)
	return s.alertPage(v, &alertBody{Watcher: w, Form: formOfAlert(w)}, data)
}

// deleteAlert deletes an alert; its open deliveries are cancelled with it.
func (s Site) deleteAlert(v *page.Visit) error {
	w, err := s.ofAlert(v)
	if err != nil {
		return err
	}
	if err := s.Store.DeleteWatcher(v.R.Context(), v.Account.ID, w.ID); err != nil {
		return err
	}
	if err := s.Trail(v, "alert deleted", w.Name+" ("+w.ID+")"); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/alerts?done=alert-deleted")
}
