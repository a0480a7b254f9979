package portrait

import (
	"image/color"
	"math/rand/v2"
)

// The colours of people and of what they wear. No skin has any of them.
var (
	skins  = []color.RGBA{{129, 178, 196, 255}, {150, 187, 150, 255}, {178, 160, 201, 255}, {228, 200, 84, 255}, {222, 140, 172, 255}, {143, 160, 184, 255}, {188, 191, 140, 255}}
	hairs  = []color.RGBA{{52, 58, 78, 255}, {84, 66, 92, 255}, {44, 84, 84, 255}, {122, 82, 62, 255}, {96, 104, 118, 255}, {150, 96, 88, 255}}
	shirts = []color.RGBA{{232, 126, 60, 255}, {92, 108, 140, 255}, {120, 132, 108, 255}, {168, 172, 180, 255}, {136, 96, 104, 255}}
	dark   = color.RGBA{40, 44, 56, 255}
	pale   = color.RGBA{246, 247, 249, 255}
)

// middle is the line on which faces are symmetrical.
const middle = 150

// person is what a portrait shows. Lengths are in pixels.
type person struct {
	skin, hair, shirt color.RGBA

	// head is its centre's height, half its width and half its length; jaw how wide the chin is, of the head's width.
	y, rx, ry, jaw float32

	eyes, eyeSize, gaze float32 // half of what lies between them; how large; how far they look aside
	brows, tilt         float32 // their height above the eyes, and how much they rise to the outside
	nose, mouth, smile  float32 // the length of the nose, half the width of the mouth, how much its corners rise

	style      int // of the hair
	fringe     float32
	beard      bool
	moustache  bool
	glasses    bool
	shoulders  float32
	hairVolume float32
}

// The styles of hair.
const (
	bald = iota
	short
	parted
	long
	curls
	bun
	styles
)

// newPerson invents a person.
func newPerson(r *rand.Rand) *person {
	between := func(least, most float32) float32 { return least + (most-least)*r.Float32() }
	one := func(of []color.RGBA) color.RGBA { return of[r.IntN(len(of))] }
	return &person{
		skin: mixed(one(skins), one(skins), between(0, 0.3)), hair: mixed(one(hairs), one(hairs), between(0, 0.4)), shirt: one(shirts),
		y: between(158, 168), rx: between(60, 76), ry: between(84, 100), jaw: between(0.42, 0.78),
		eyes: between(24, 31), eyeSize: between(7, 11), gaze: between(-2.5, 2.5),
		brows: between(17, 25), tilt: between(-5, 5),
		nose: between(26, 42), mouth: between(16, 28), smile: between(-7, 5),
		style: r.IntN(styles), fringe: between(0.45, 0.75),
		beard: r.IntN(5) == 0, moustache: r.IntN(6) == 0, glasses: r.IntN(4) == 0,
		shoulders: between(96, 128), hairVolume: between(6, 18),
	}
}

// mixed is a colour on the way from one to another.
func mixed(a, b color.RGBA, part float32) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(float32(a) + (float32(b)-float32(a))*part) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// draw draws a person from the back to the front.
func (p *person) draw(c *canvas) {
	p.drawHairBehind(c)
	p.drawBody(c)
	p.drawHead(c)
	p.drawFace(c)
	p.drawHair(c)
	if p.glasses {
		p.drawGlasses(c)
	}
}

// shoulders is the line of a body whose shoulders have half a width, and which begins at a height.
func shoulders(half, top float32) []curve {
	l, r := float32(middle)-half, float32(middle)+half
	return []curve{
		line(point{l - 14, height}),
		{point{l - 10, top + 70}, point{l + 14, top + 52}, point{middle - 42, top + 34}},
		{point{middle - 26, top + 26}, point{middle - 24, top + 8}, point{middle - 24, top}},
		line(point{middle + 24, top}),
		{point{middle + 24, top + 8}, point{middle + 26, top + 26}, point{middle + 42, top + 34}},
		{point{r - 14, top + 52}, point{r + 10, top + 70}, point{r + 14, height}},
	}
}

// drawBody draws shirt and neck.
func (p *person) drawBody(c *canvas) {
	c.shape(p.shirt, shoulders(p.shoulders, 248))
	neck := mixed(p.skin, dark, 0.18)
	c.shape(neck, []curve{
		line(point{middle - 27, 220}), line(point{middle + 27, 220}), line(point{middle + 30, 276}),
		{point{middle + 20, 300}, point{middle - 20, 300}, point{middle - 30, 276}},
	})
}

// skull is the line of a head: half an ellipse above, a jaw below.
func (p *person) skull() []curve {
	rx, ry, j := p.rx, p.ry, p.rx*p.jaw
	return []curve{
		line(point{middle - rx, p.y}),
		{point{middle - rx, p.y - 0.72*ry}, point{middle - 0.6*rx, p.y - ry}, point{middle, p.y - ry}},
		{point{middle + 0.6*rx, p.y - ry}, point{middle + rx, p.y - 0.72*ry}, point{middle + rx, p.y}},
		{point{middle + rx, p.y + 0.6*ry}, point{middle + j, p.y + ry}, point{middle, p.y + ry}},
		{point{middle - j, p.y + ry}, point{middle - rx, p.y + 0.6*ry}, point{middle - rx, p.y}},
	}
}

// drawHead draws ears and head.
func (p *person) drawHead(c *canvas) {
	for _, side := range []float32{-1, 1} {
		c.ellipse(p.skin, middle+side*(p.rx+1), p.y+6, 10, 17)
		c.ellipse(mixed(p.skin, dark, 0.2), middle+side*(p.rx+2), p.y+7, 4, 9)
	}
	c.shape(p.skin, p.skull())
}

// drawFace draws what looks at us.
func (p *person) drawFace(c *canvas) {
	shade := mixed(p.skin, dark, 0.28)
	if p.beard {
		low := p.y + 0.30*p.ry
		c.shape(p.hair, []curve{
			line(point{middle - 0.96*p.rx, p.y + 12}),
			{point{middle - 0.8*p.rx, low}, point{middle - 0.5*p.rx, low + 4}, point{middle, low + 8}},
			{point{middle + 0.5*p.rx, low + 4}, point{middle + 0.8*p.rx, low}, point{middle + 0.96*p.rx, p.y + 12}},
			{point{middle + p.rx, p.y + 0.66*p.ry}, point{middle + p.rx*p.jaw, p.y + p.ry + 4}, point{middle, p.y + p.ry + 6}},
			{point{middle - p.rx*p.jaw, p.y + p.ry + 4}, point{middle - p.rx, p.y + 0.66*p.ry}, point{middle - 0.96*p.rx, p.y + 12}},
		})
	}
	eyes := p.y - 4
	for _, side := range []float32{-1, 1} {
		x := middle + side*p.eyes
		c.ellipse(pale, x, eyes, p.eyeSize*1.45, p.eyeSize*0.85)
		c.ellipse(p.hair, x+p.gaze, eyes, p.eyeSize*0.72, p.eyeSize*0.78)
		c.ellipse(dark, x+p.gaze, eyes, p.eyeSize*0.34, p.eyeSize*0.38)
		in, out := point{middle + side*(p.eyes-14), eyes - p.brows + p.tilt/2}, point{middle + side*(p.eyes+15), eyes - p.brows - p.tilt/2}
		c.shape(mixed(p.hair, dark, 0.3), []curve{
			line(in),
			{point{in.x + side*8, in.y - 6}, point{out.x - side*8, out.y - 7}, out},
			{point{out.x - side*8, out.y - 1}, point{in.x + side*8, in.y}, point{in.x, in.y + 5}},
		})
	}
	c.shape(shade, []curve{ // the nose
		line(point{middle - 4, eyes + 6}),
		{point{middle - 6, eyes + p.nose*0.7}, point{middle - 15, eyes + p.nose}, point{middle, eyes + p.nose + 4}},
		{point{middle + 13, eyes + p.nose + 2}, point{middle - 4, eyes + p.nose*0.7}, point{middle - 4, eyes + 6}},
	})
	mouth := eyes + p.nose + 24
	c.shape(mixed(p.skin, color.RGBA{120, 40, 60, 255}, 0.55), []curve{
		line(point{middle - p.mouth, mouth - p.smile}),
		{point{middle - p.mouth/2, mouth - 4}, point{middle + p.mouth/2, mouth - 4}, point{middle + p.mouth, mouth - p.smile}},
		{point{middle + p.mouth/2, mouth + 7}, point{middle - p.mouth/2, mouth + 7}, point{middle - p.mouth, mouth - p.smile}},
	})
	if p.moustache {
		c.shape(p.hair, []curve{
			line(point{middle, mouth - 13}),
			{point{middle + 14, mouth - 18}, point{middle + p.mouth + 4, mouth - 10}, point{middle + p.mouth + 8, mouth}},
			{point{middle + p.mouth, mouth - 5}, point{middle + 12, mouth - 6}, point{middle, mouth - 6}},
			{point{middle - 12, mouth - 6}, point{middle - p.mouth, mouth - 5}, point{middle - p.mouth - 8, mouth}},
			{point{middle - p.mouth - 4, mouth - 10}, point{middle - 14, mouth - 18}, point{middle, mouth - 13}},
		})
	}
}
