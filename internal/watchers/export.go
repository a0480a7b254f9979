package watchers

import (
	"bufio"
	"context"

	"rollcall/internal/service"
	"rollcall/internal/watchlist"
	"rollcall/models"
)

// exportCmd prints what an account watches, or what that found. It holds a few thousand lines at a time.
type exportCmd struct {
	Account string  `required:"" help:"Id of the account." placeholder:"ID"`
	Label   *string `help:"Only alerts of this label."`
	Hits    bool    `help:"The hits instead of the alerts."`
}

// Run prints the list. An unknown account is an error, as an empty list would say that nothing is watched.
func (c *exportCmd) Run(ctx context.Context, app *service.App) error {
	st, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if _, err := st.Account(ctx, c.Account); err != nil {
		return err
	}
	to := bufio.NewWriter(app.Stdout)
	if c.Hits {
		err = watchlist.WriteHits(to, func(see func(*models.FoundHit) error) error { return st.EachHit(ctx, c.Account, c.Label, see) })
	} else {
		err = watchlist.Write(to, func(see func(*models.Watcher) error) error { return st.EachWatcher(ctx, c.Account, c.Label, see) })
	}
	if err != nil {
		return err
	}
	return to.Flush()
}
