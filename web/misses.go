package web

import (
	"context"

	"rollcall/auth"
	"rollcall/models"
	"rollcall/web/page"
)

// known returns the frame of a page whose address names a record. A record that is not there, or
// not published, is page.ErrNoRecord before any script runs.
func known(look func(ctx context.Context, v *auth.Visitor, id string) (*plainRecord, error)) func(*page.Visit) (frame, error) {
	return func(v *page.Visit) (frame, error) {
		f := frame{ID: v.Param("id")}
		var err error
		f.Record, err = look(v.R.Context(), v.Visitor, f.ID)
		if code := models.CodeOf(err); err != nil && (code == models.CodeNotFound || code == models.CodeInvalidParameter) {
			return f, page.ErrNoRecord
		}
		return f, err
	}
}

// readable adapts for known a look-up that every account may make, with what its page says
// without scripts.
func readable[T any](
	look func(context.Context, string) (*T, error), plain func(*T) plainRecord,
) func(context.Context, *auth.Visitor, string) (*plainRecord, error) {
	return func(ctx context.Context, _ *auth.Visitor, id string) (*plainRecord, error) {
		record, err := look(ctx, id)
		if err != nil {
			return nil, err
		}
		p := plain(record)
		return &p, nil
	}
}

// mine adapts for known a look-up among what the reader's account owns.
func mine[T any](look func(context.Context, string, string) (T, error)) func(context.Context, *auth.Visitor, string) (*plainRecord, error) {
	return func(ctx context.Context, v *auth.Visitor, id string) (*plainRecord, error) {
		_, err := look(ctx, v.Account.ID, id)
		return nil, err
	}
}
