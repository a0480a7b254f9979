package rest

import (
	"net/http"

	"rollcall/models"
)

// listHits answers GET /alerts/{id}/hits with the records that matched a watcher, newest first.
// total counts all of them, like the list's length without pages.
func (h *api) listHits(a *answer, r *http.Request) error {
	ctx := r.Context()
	p := newParams(r.URL.RawQuery)
	at := p.cursorPage()
	w, err := h.alertOf(r)
	if err != nil {
		return err
	}
	if p.err != nil {
		return p.err
	}
	total, err := h.root.Alert().HitCount(ctx, w)
	if err != nil {
		return err
	}
	list, err := h.root.Alert().Hits(ctx, w, &at.limit, &at.offset, at.after)
	if err != nil {
		return cursorError(err)
	}
	a.openList(total, at.limit, at.offset, "hits")
	for _, hit := range list {
		if err := h.hit(ctx, a, hit); err != nil {
			return err
		}
	}
	a.closeList()
	last := func() (string, error) { return list[len(list)-1].ID, nil }
	return h.link(a, r, at, len(list) == at.limit && at.offset+len(list) < total, last)
}

// giveFeedback answers POST /hits/{id}/feedback with the hit as it then is. A dismissed person or
// spelling raises no more events for that watcher.
func (h *api) giveFeedback(a *answer, r *http.Request, b *body) (int, error) {
	id, err := pathText(r, "id")
	if err != nil {
		return 0, err
	}
	if _, err := h.root.Query().Hit(r.Context(), id); err != nil { // 404 comes before 400
		return 0, err
	}
	verdict := word(b, "verdict", models.Confirm, models.Dismiss, models.Unsure)
	if verdict == nil {
		b.fail("verdict", "verdict is missing: confirm, dismiss or unsure")
	}
	scope := word(b, "scope", models.ThisPerson, models.ThisSpelling)
	if err := b.done(); err != nil {
		return 0, err
	}
	hit, err := h.root.Mutation().GiveFeedback(r.Context(), id, *verdict, scope, nil)
	if err != nil {
		return 0, err
	}
	return http.StatusOK, h.hit(r.Context(), a, hit)
}
