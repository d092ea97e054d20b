<?xml version="1.0"?>
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- A report by customer: keys, sorting, recursion, number formatting, string functions. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="html" encoding="UTF-8" indent="yes"/>
  <xsl:param name="currency"/>
  <xsl:key name="by-customer" match="order" use="@customer"/>

  <xsl:template match="/orders">
    <html>
      <body>
        <h1><xsl:value-of select="count(order)"/> orders, <xsl:value-of select="count(//line)"/> lines</h1>
        <xsl:for-each select="order[count(. | key('by-customer', @customer)[1]) = 1]">
          <xsl:sort select="substring-after(@customer, 'c')" data-type="number"/>
          <xsl:call-template name="customer"/>
        </xsl:for-each>
      </body>
    </html>
  </xsl:template>

  <xsl:template name="customer">
    <xsl:variable name="orders" select="key('by-customer', @customer)"/>
    <h2 class="{@customer}"><xsl:number value="position()" format="I"/>. Customer <xsl:value-of select="@customer"/></h2>
    <p>
      <xsl:call-template name="total"><xsl:with-param name="lines" select="$orders/line"/></xsl:call-template>
    </p>
    <table><xsl:apply-templates select="$orders/line">
      <xsl:sort select="@price" data-type="number" order="descending"/>
      <xsl:sort select="."/>
    </xsl:apply-templates></table>
    <xsl:apply-templates select="$orders/note"/>
  </xsl:template>

  <xsl:template match="line">
    <tr>
      <td><xsl:value-of select="translate(., 'aeiou', 'AEIOU')"/></td>
      <td><xsl:value-of select="@quantity"/></td>
      <td><xsl:value-of select="format-number(@quantity * @price, '#,##0.00')"/></td>
      <td><xsl:value-of select="count(preceding-sibling::line)"/></td>
    </tr>
  </xsl:template>

  <xsl:template match="note">
    <xsl:if test="string-length(.) mod 2 = 0">
      <p><xsl:call-template name="reverse-words"><xsl:with-param name="text" select="normalize-space(.)"/></xsl:call-template></p>
    </xsl:if>
  </xsl:template>

  <!-- XPath 1.0 cannot sum products: recursion over the list. -->
  <xsl:template name="total">
    <xsl:param name="lines"/>
    <xsl:param name="sum" select="0"/>
    <xsl:choose>
      <xsl:when test="$lines">
        <xsl:call-template name="total">
          <xsl:with-param name="lines" select="$lines[position() &gt; 1]"/>
          <xsl:with-param name="sum" select="$sum + $lines[1]/@quantity * $lines[1]/@price"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="concat($currency, ' ', format-number($sum, '0.00'))"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="reverse-words">
    <xsl:param name="text"/>
    <xsl:if test="contains($text, ' ')">
      <xsl:call-template name="reverse-words"><xsl:with-param name="text" select="substring-after($text, ' ')"/></xsl:call-template>
      <xsl:text> </xsl:text>
    </xsl:if>
    <xsl:value-of select="substring-before(concat($text, ' '), ' ')"/>
  </xsl:template>
</xsl:stylesheet>
