// Package portrait draws portraits of nobody, for the demo: a bust of plain shapes in colours that no skin has, in front
// of the lines of a height chart. Nothing in it comes from a photograph.
package portrait

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"

	"golang.org/x/image/draw"
)

const (
	width   = 300
	height  = 375
	quality = 82 // of JPEG
)

// Draw returns a portrait as JPEG of 300 x 375 pixels. A seed has one portrait, and another seed another one.
func Draw(seed uint64) []byte {
	c := newCanvas(wall)
	c.chart()
	personOf(seed).draw(c)
	return c.jpeg()
}

// Again returns another portrait of the same person, in front of another wall.
func Again(seed uint64) []byte {
	c := newCanvas(color.RGBA{196, 203, 190, 255})
	personOf(seed).draw(c)
	return c.jpeg()
}

// Small returns a drawing of this package at half its size.
func Small(drawing []byte) []byte {
	large, err := jpeg.Decode(bytes.NewReader(drawing))
	if err != nil {
		panic(fmt.Sprintf("decode a drawing: %v", err)) // it was encoded here
	}
	c := &canvas{image: image.NewRGBA(image.Rect(0, 0, width/2, height/2))}
	draw.ApproxBiLinear.Scale(c.image, c.image.Rect, large, large.Bounds(), draw.Src, nil)
	return c.jpeg()
}

// personOf returns the person of a seed.
func personOf(seed uint64) *person {
	const stream = 0x706f727472616974 // any number; another one draws other people
	return newPerson(rand.New(rand.NewPCG(seed, stream)))
}

// Placeholder returns the picture that some jails show of everybody of whom they have none. Its bytes are always the same.
func Placeholder() []byte {
	ground, figure := color.RGBA{232, 234, 238, 255}, color.RGBA{190, 194, 201, 255}
	c := newCanvas(ground)
	c.ellipse(figure, middle, 120, 56, 70)
	c.shape(figure, shoulders(112, 172))
	c.fill(ground, image.Rect(0, 310, width, height))
	c.text("NO PHOTO AVAILABLE", 330, 2, color.RGBA{72, 77, 88, 255})
	return c.jpeg()
}

// wall is what people stand in front of.
var wall = color.RGBA{214, 219, 226, 255}

// jpeg encodes the drawing.
func (c *canvas) jpeg() []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, c.image, &jpeg.Options{Quality: quality}); err != nil {
		panic(fmt.Sprintf("encode a drawing: %v", err)) // a buffer takes everything, and the size fits
	}
	return b.Bytes()
}

// chart draws the lines by which a person's height is read.
func (c *canvas) chart() {
	for y := 25; y < height; y += 25 {
		thick, shade := 1, color.RGBA{198, 204, 213, 255}
		if y%50 == 0 {
			thick, shade = 2, color.RGBA{184, 191, 202, 255}
		}
		c.fill(shade, image.Rect(0, y, width, y+thick))
	}
}
