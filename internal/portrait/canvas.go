package portrait

import (
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// canvas is a drawing in the making.
type canvas struct {
	image  *image.RGBA
	raster *vector.Rasterizer
}

// newCanvas is a canvas of one colour.
func newCanvas(ground color.Color) *canvas {
	c := &canvas{image.NewRGBA(image.Rect(0, 0, width, height)), vector.NewRasterizer(width, height)}
	c.fill(ground, c.image.Rect)
	return c
}

// fill fills a rectangle.
func (c *canvas) fill(with color.Color, r image.Rectangle) {
	draw.Draw(c.image, r, image.NewUniform(with), image.Point{}, draw.Over)
}

// point is a place on the canvas.
type point struct{ x, y float32 }

// curve goes to a place by way of two others that draw it towards them: a cubic Bézier curve.
type curve struct{ by, and, to point }

// line is the curve that is straight.
func line(to point) curve { return curve{to, to, to} }

// shape fills what closed lines of curves enclose; where one runs in another the other way round, it is a hole. The first
// curve of a line only says where it begins.
func (c *canvas) shape(with color.Color, lines ...[]curve) {
	// Only what a shape can reach is looked at: a curve stays between the points that it is made of.
	reach := image.Rectangle{}
	for _, line := range lines {
		for _, k := range line {
			for _, p := range []point{k.by, k.and, k.to} {
				reach = reach.Union(image.Rect(int(p.x)-1, int(p.y)-1, int(p.x)+2, int(p.y)+2))
			}
		}
	}
	reach = reach.Intersect(c.image.Rect)
	left, top := float32(reach.Min.X), float32(reach.Min.Y)
	c.raster.Reset(reach.Dx(), reach.Dy())
	for _, line := range lines {
		c.raster.MoveTo(line[0].to.x-left, line[0].to.y-top)
		for _, k := range line[1:] {
			c.raster.CubeTo(k.by.x-left, k.by.y-top, k.and.x-left, k.and.y-top, k.to.x-left, k.to.y-top)
		}
		c.raster.ClosePath()
	}
	c.raster.Draw(c.image, reach, image.NewUniform(with), image.Point{})
}

// ellipse fills an ellipse around a centre.
func (c *canvas) ellipse(with color.Color, x, y, rx, ry float32) {
	c.shape(with, oval(x, y, rx, ry))
}

// oval is the line of an ellipse. With a negative rx it runs the other way round, which makes it the inside of a ring.
func oval(x, y, rx, ry float32) []curve {
	const k = 0.5523 // how far the arms of a quarter reach
	return []curve{
		line(point{x + rx, y}),
		{point{x + rx, y + k*ry}, point{x + k*rx, y + ry}, point{x, y + ry}},
		{point{x - k*rx, y + ry}, point{x - rx, y + k*ry}, point{x - rx, y}},
		{point{x - rx, y - k*ry}, point{x - k*rx, y - ry}, point{x, y - ry}},
		{point{x + k*rx, y - ry}, point{x + rx, y - k*ry}, point{x + rx, y}},
	}
}

// text writes a line in the middle of the width, in letters that are some times as large as they are drawn.
func (c *canvas) text(line string, top, times int, with color.Color) {
	face := basicfont.Face7x13
	small := image.NewAlpha(image.Rect(0, 0, face.Advance*len(line), face.Height))
	pen := &font.Drawer{Dst: small, Src: image.Opaque, Face: face, Dot: fixed.P(0, face.Ascent)}
	pen.DrawString(line)
	left := (width - times*small.Rect.Dx()) / 2
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			if small.AlphaAt(x, y).A > 0 {
				c.fill(with, image.Rect(0, 0, times, times).Add(image.Pt(left+times*x, top+times*y)))
			}
		}
	}
}
