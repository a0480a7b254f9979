package rest

import (
	"context"
	"net/http"

	"rollcall/graph/generated"
	"rollcall/internal/jsontext"
	"rollcall/models"
)

// Values that bodies of watchers take, in the order in which answers list them.
func eventKinds() []models.EventKind { return models.EventKinds() }

// matchLevels are the levels of the contract, in any letter case on the wire.
func matchLevels() []models.MatchLevel {
	return []models.MatchLevel{models.LevelStrict, models.LevelNormal, models.LevelWide}
}

// listAlerts answers GET /alerts: the account's watchers, newest first, paused ones too.
func (h *api) listAlerts(a *answer, r *http.Request) error {
	p := newParams(r.URL.RawQuery)
	limit, offset := p.page(models.DefaultLimit)
	if p.err != nil {
		return p.err
	}
	page, err := h.root.Query().Alerts(r.Context(), &limit, &offset)
	if err != nil {
		return err
	}
	a.openList(page.Total, page.Limit, page.Offset, "alerts")
	for _, w := range page.Watchers {
		a.alert(w)
	}
	a.closeList()
	return nil
}

// showAlert answers GET /alerts/{id}.
func (h *api) showAlert(a *answer, r *http.Request) error {
	w, err := h.alertOf(r)
	if err != nil {
		return err
	}
	a.alert(w)
	return nil
}

// alertOf reads the watcher that a path names.
func (h *api) alertOf(r *http.Request) (*models.Watcher, error) {
	id, err := pathText(r, "id")
	if err != nil {
		return nil, err
	}
	return h.root.Query().Alert(r.Context(), id)
}

// createAlert answers POST /alerts.
func (h *api) createAlert(a *answer, r *http.Request, b *body) (int, error) {
	in := generated.CreateAlertInput{
		Name: b.required("name"), County: b.text("county"), Events: words(b, "events", eventKinds()...), Dob: b.day("dob"),
		BirthYear: b.integer("birth_year"), Level: word(b, "level", matchLevels()...), Label: b.text("label"), Note: b.text("note"),
		Paused: b.boolean("paused"),
	}
	if err := b.done(); err != nil {
		return 0, err
	}
	w, err := h.root.Mutation().CreateAlert(r.Context(), in)
	if err != nil {
		return 0, err
	}
	a.alert(w)
	return http.StatusCreated, nil
}

// changeAlert answers PATCH /alerts/{id}. A member that is null goes back to its default (RFC 7396).
func (h *api) changeAlert(a *answer, r *http.Request, b *body) (int, error) {
	w, err := h.alertOf(r)
	if err != nil {
		return 0, err
	}
	normal, none, running := models.LevelNormal, "", false
	in := generated.UpdateAlertInput{
		Events: words(b, "events", eventKinds()...), Level: orDefault(b, "level", word(b, "level", matchLevels()...), normal),
		Label: orDefault(b, "label", b.text("label"), none), Note: orDefault(b, "note", b.text("note"), none),
		Paused: orDefault(b, "paused", b.boolean("paused"), running),
	}
	if in.Events == nil && b.has("events") {
		in.Events = eventKinds()
	}
	if err := b.done(); err != nil {
		return 0, err
	}
	if w, err = h.root.Mutation().UpdateAlert(r.Context(), w.ID, in); err != nil {
		return 0, err
	}
	a.alert(w)
	return http.StatusOK, nil
}

// orDefault gives the value of a member; that of one which is there as null is its default.
func orDefault[T any](b *body, name string, v *T, otherwise T) *T {
	if v == nil && b.has(name) {
		return &otherwise
	}
	return v
}

// deleteAlert answers DELETE /alerts/{id}.
func (h *api) deleteAlert(_ *answer, r *http.Request, _ *body) (int, error) {
	id, err := pathText(r, "id")
	if err != nil {
		return 0, err
	}
	_, err = h.root.Mutation().DeleteAlert(r.Context(), id)
	return http.StatusNoContent, err
}

// previewAlert answers POST /alerts/preview.
func (h *api) previewAlert(a *answer, r *http.Request, b *body) (int, error) {
	name, county, level := b.required("name"), b.text("county"), word(b, "level", matchLevels()...)
	dob, birthYear, days := b.day("dob"), b.integer("birth_year"), b.integer("days")
	if err := b.done(); err != nil {
		return 0, err
	}
	p, err := h.root.Query().PreviewAlert(r.Context(), name, county, level, days, dob, birthYear)
	if err != nil {
		return 0, err
	}
	a.object()
	a.number("expected_per_30_days", p.ExpectedPer30Days)
	a.array("hits")
	for _, hit := range p.Hits {
		if err := h.hit(r.Context(), a, hit); err != nil {
			return 0, err
		}
	}
	a.endArray()
	a.endObject()
	return http.StatusOK, nil
}

// alert writes a watcher: the listed fields, and of the optional ones those that were set, so that who
// does not use them sees exactly what SPEC.md lists.
func (e *encoder) alert(w *models.Watcher) {
	e.object()
	e.text("id", w.ID)
	e.text("name", w.Name)
	if w.County == nil {
		e.null("county")
	} else {
		e.text("county", w.County.Slug)
	}
	texts(e, "events", w.Events)
	e.instant("created_at", w.CreatedAt.UTC())
	if w.Dob != nil {
		e.date("dob", *w.Dob)
	}
	if w.BirthYear != nil {
		e.number("birth_year", *w.BirthYear)
	}
	if w.Level != models.LevelNormal {
		e.text("level", string(w.Level))
	}
	if w.Label != nil {
		e.text("label", *w.Label)
	}
	if w.Note != nil {
		e.text("note", *w.Note)
	}
	if w.Paused {
		e.bool("paused", true)
	}
	e.endObject()
}

// texts writes an array of words.
func texts[T ~string](e *encoder, name string, list []T) {
	e.array(name)
	for _, v := range list {
		e.next()
		e.b = jsontext.Append(e.b, string(v))
	}
	e.endArray()
}

// hit writes a record that matched a watcher.
func (h *api) hit(ctx context.Context, a *answer, hit *models.Hit) error {
	booking, err := h.root.AlertHit().Record(ctx, hit)
	if err != nil {
		return err
	}
	a.object()
	a.text("id", hit.ID)
	a.name("record")
	if err := h.booking(ctx, a, booking); err != nil {
		return err
	}
	a.endObject()
	a.fraction("probability", hit.Probability)
	a.texts("reasons", hit.Reasons)
	a.optionalText("verdict", (*string)(hit.Verdict))
	a.instant("at", hit.At.UTC())
	a.endObject()
	return nil
}
