package db

import (
	"time"

	"rollcall/models"
)

// viewPatience is how long a view counts as current without word from the database: a connection that
// broke off silently keeps a stale view alive no longer.
const viewPatience = 4 * feedPoll

// View gives the newest view heard of; ok is false while nobody follows changes (Changes) or the
// connection for them is lost. A committed change is heard of within milliseconds.
func (d *DB) View() (v models.View, ok bool) {
	h := d.feed.heard.Load()
	if h == nil || time.Since(h.at) > viewPatience {
		return models.View{}, false
	}
	v = h.view
	v.Minute = d.now().Unix() / 60
	return v, true
}

// heardView is a view and when the database last confirmed it.
type heardView struct {
	view models.View
	at   time.Time
}

// note keeps what was told under the feed's lock.
func (fd *feed) note() {
	fd.heard.Store(&heardView{at: time.Now(), view: models.View{
		Roster: fd.seen[models.Roster], Courts: fd.seen[models.Courts], Corrections: fd.seen[models.Corrections], Links: fd.seen[models.LinksFamily],
	}})
}
