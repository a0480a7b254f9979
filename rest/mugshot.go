package rest

import (
	"net/http"

	"rollcall/models"
	"rollcall/photo/vault"
)

// showMugshot answers GET /roster/{id}/mugshot, where mugshot_url leads: the photograph of a booking as JPEG, with size=small at
// most 240 pixels on the longer side. A booking that shows none is 404, like one that is withheld.
func (h *api) showMugshot(w http.ResponseWriter, r *http.Request) {
	if err := h.mugshot(w, r); err != nil {
		h.reject(w, r, err)
	}
}

// mugshot sends the photograph, or nothing and the error.
func (h *api) mugshot(w http.ResponseWriter, r *http.Request) error {
	id, err := pathText(r, "id")
	if err != nil {
		return err
	}
	p := newParams(r.URL.RawQuery)
	size := enum(p, "size", vault.Large, vault.Small)
	if p.err != nil {
		return p.err
	}
	b, err := h.root.Query().RosterRecord(r.Context(), id, nil)
	if err != nil {
		return err
	}
	if h.photos == nil {
		return models.NotFound("this booking has no photograph")
	}
	of := vault.Large
	if size != nil {
		of = *size
	}
	return h.photos.Send(w, r, b.RID, of)
}
