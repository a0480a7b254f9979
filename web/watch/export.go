package watch

import (
	"io"
	"net/http"

	"rollcall/internal/watchlist"
	"rollcall/models"
	"rollcall/web/page"
)

// exportAlerts streams what the account watches as a list that can be imported; ?label= narrows it.
func (s Site) exportAlerts(v *page.Visit) error {
	label := labelOf(v.R)
	return s.Export(v, "alerts.csv", func(to io.Writer) error {
		return watchlist.Write(to, func(see func(*models.Watcher) error) error {
			return s.Store.EachWatcher(v.R.Context(), v.Account.ID, label, see)
		})
	})
}

// exportHits streams what the account's alerts found.
func (s Site) exportHits(v *page.Visit) error {
	label := labelOf(v.R)
	return s.Export(v, "hits.csv", func(to io.Writer) error {
		return watchlist.WriteHits(to, func(see func(*models.FoundHit) error) error {
			return s.Store.EachHit(v.R.Context(), v.Account.ID, label, see)
		})
	})
}

func labelOf(r *http.Request) *string { return models.NilIfEmpty(r.URL.Query().Get("label")) }

// Export streams a file for spreadsheets, one at a time of an account. An error after its beginning ends the connection, so that half a file does not pass for a whole one.
func (s Site) Export(v *page.Visit, name string, write func(io.Writer) error) error {
	done, err := s.Exports.Take(v.R.Context(), v.Account.ID)
	if err != nil {
		return err
	}
	defer done()
	to := &begun{ResponseWriter: v.W}
	h := v.W.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	_, err = io.WriteString(to, watchlist.Mark)
	if err == nil {
		err = write(to)
	}
	if err != nil && to.any {
		panic(http.ErrAbortHandler) // net/http ends the connection without a word to the log
	}
	if err != nil {
		h.Del("Content-Disposition")
	}
	return err
}

// begun notes whether anything was written.
type begun struct {
	http.ResponseWriter
	any bool
}

func (b *begun) Write(p []byte) (int, error) {
	b.any = true
	return b.ResponseWriter.Write(p)
}
